//! What it offers to assistants: nothing but the answers about its runs.

use engine::Offered;

use crate::machine::CountdownEngine;

impl Offered for CountdownEngine {}
