//! The card form inside its frame.
//!
//! The page already holds the form as HTML when this module attaches to it. From then on every event of the form goes
//! to the reducer in the crate `card`, and what the reducer says is shown. A submit seals the card for the vault and
//! sends it; the token goes to the shop through a message port. No rule about cards stands here: this crate converts
//! and wires.
//!
//! It may touch the browser. It may not depend on a runtime, a JSON library or a user interface framework: each costs
//! more bytes than everything here together (`docs/adr/`).

mod browser;
mod exports;
mod incoming;
mod json;
mod outgoing;
mod page;
mod shown;
mod submission;
mod texts;
mod widget;

pub use exports::{fail, on_ask, on_choice, on_edit, on_field, on_message, on_submit, resume, start};

/// A small allocator: the form allocates a few kilobytes in all.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: lol_alloc::LockedAllocator<lol_alloc::FreeListAllocator> =
    lol_alloc::LockedAllocator::new(lol_alloc::FreeListAllocator::new());
