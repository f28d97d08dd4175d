//! Frame.
