//! What a payer pays at once: one order, or a basket of them.

pub mod page;
