//! What it offers to assistants: nothing but the answers about its runs.

use crate::engine::Offered;

use super::machine::CountdownEngine;

impl Offered for CountdownEngine {}
