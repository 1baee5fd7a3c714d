//! What each module of a source file defines, imports and names.

use std::collections::BTreeSet;

use super::tokens::{Token, tokens};

/// `domain::Name` in its parts.
pub type Path = Vec<String>;

/// One module: a file's own, or one in braces inside it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// Empty for the crate's root.
    pub path: Path,
    pub file: String,
    pub is_test: bool,
    /// The items that are defined in it.
    pub names: BTreeSet<String>,
    pub imports: Vec<Import>,
    /// Paths of two parts and more that stand in its code.
    pub mentions: Vec<Mention>,
    /// The modules that are declared to be tests only, by a file of their own.
    pub test_files: BTreeSet<String>,
}

/// One name of a `use`.
#[derive(Debug, PartialEq, Eq)]
pub struct Import {
    pub path: Path,
    /// What it is called here; `*` for all that a module has.
    pub name: String,
    /// Whether it is given on to others.
    pub is_public: bool,
    pub is_test: bool,
    pub line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Mention {
    pub path: Path,
    pub is_test: bool,
    pub line: usize,
}

/// The modules of a source file; the file's own is the last.
pub fn modules(file: &str, path: Path, source: &str) -> Vec<Module> {
    let tokens = tokens(source);
    let mut reader = Reader {
        tokens: &tokens,
        at: 0,
        read: Vec::new(),
    };
    let own = Module {
        path,
        file: file.to_owned(),
        ..Module::default()
    };
    reader.module(own, tokens.len());
    reader.read
}

/// What may stand behind `const` where it does not name a constant.
const FUNCTION: [&str; 4] = ["async", "extern", "fn", "unsafe"];

struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    read: Vec<Module>,
}

impl Reader<'_> {
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.line)
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_word)
    }

    /// Reads items up to a token into a module.
    fn module(&mut self, mut module: Module, end: usize) {
        while self.at < end {
            let is_test = self.attributes(&mut module) || module.is_test;
            let is_public = self.visibility();
            match self.text(self.at) {
                "use" => self.imports(&mut module, is_public, is_test),
                "mod" => self.inner_module(&mut module, is_test),
                _ => self.item(&mut module, is_test),
            }
        }
        self.read.push(module);
    }

    /// Passes the attributes before an item; true if it is for tests only.
    fn attributes(&mut self, module: &mut Module) -> bool {
        let mut is_test = false;
        while self.text(self.at) == "#" {
            let open = self.at + 1 + usize::from(self.text(self.at + 1) == "!");
            let end = self.closing(open);
            let words: Vec<&str> = (open..end).map(|at| self.text(at)).collect();
            is_test |= match words.as_slice() {
                ["[", "cfg", "(", "test", ")", "]"] => true,
                ["[", "cfg", "(", "all", rest @ ..] => {
                    rest.contains(&"test") && !rest.contains(&"not")
                }
                _ => false,
            };
            self.code(module, end, is_test);
        }
        is_test
    }

    /// Passes `pub` and `pub(...)`; true if there was one.
    fn visibility(&mut self) -> bool {
        let is_public = self.text(self.at) == "pub";
        if is_public {
            self.at += 1;
            if self.text(self.at) == "(" {
                self.at = self.closing(self.at);
            }
        }
        is_public
    }

    fn inner_module(&mut self, module: &mut Module, is_test: bool) {
        let name = self.text(self.at + 1).to_owned();
        self.at += 2;
        if self.text(self.at) != "{" {
            if is_test {
                module.test_files.insert(name);
            }
            self.at += 1;
            return;
        }
        let end = self.closing(self.at);
        self.at += 1;
        let mut path = module.path.clone();
        path.push(name);
        let inner = Module {
            path,
            file: module.file.clone(),
            is_test,
            ..Module::default()
        };
        self.module(inner, end - 1);
        self.at = end;
    }

    /// Any other item: its name, and what its code names.
    fn item(&mut self, module: &mut Module, is_test: bool) {
        const DEFINE: [&str; 9] = [
            "const",
            "enum",
            "fn",
            "macro_rules",
            "static",
            "struct",
            "trait",
            "type",
            "union",
        ];
        const BEFORE: [&str; 5] = ["async", "const", "default", "extern", "unsafe"];
        let end = self.item_end();
        let mut define = self.at;
        while BEFORE.contains(&self.text(define))
            && (self.text(define) != "const" || FUNCTION.contains(&self.text(define + 1)))
        {
            // Behind `extern` may stand a string.
            define += 1 + usize::from(self.text(define + 1).starts_with('"'));
        }
        if DEFINE.contains(&self.text(define)) {
            let is_passed = ["!", "mut"].contains(&self.text(define + 1));
            let name = define + 1 + usize::from(is_passed);
            module.names.insert(self.text(name).to_owned());
        }
        self.code(module, end, is_test);
    }

    /// Where an item ends: after its first `;`, or after its first block.
    fn item_end(&self) -> usize {
        let mut at = self.at;
        while at < self.tokens.len() {
            match self.text(at) {
                ";" => return at + 1,
                "{" => return self.closing(at),
                "(" | "[" => at = self.closing(at),
                _ => at += 1,
            }
        }
        at
    }

    /// Where the bracket that stands here is closed: after its partner.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.text(at) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at + 1;
            }
        }
        self.tokens.len()
    }

    /// Reads code: the paths that it names, and what is imported in the middle of it.
    fn code(&mut self, module: &mut Module, end: usize, is_test: bool) {
        while self.at < end {
            if self.text(self.at) == "use" && self.text(self.at + 1) != "<" {
                self.imports(module, false, is_test);
            } else if self.is_word(self.at) && self.text(self.at + 1) == "::" {
                self.mention(module, is_test);
            } else {
                self.at += 1;
            }
        }
        self.at = end;
    }

    fn mention(&mut self, module: &mut Module, is_test: bool) {
        let line = self.line();
        let before = |back: usize| self.at.checked_sub(back).map_or("", |at| self.text(at));
        // The rest of another path, or `pub(in a::b)`.
        let is_none = before(1) == "::" || [before(3), before(2), before(1)] == ["pub", "(", "in"];
        let mut path = vec![self.text(self.at).to_owned()];
        while self.text(self.at + 1) == "::" && self.is_word(self.at + 2) {
            self.at += 2;
            path.push(self.text(self.at).to_owned());
        }
        self.at += 1;
        if !is_none && path.len() > 1 {
            module.mentions.push(Mention {
                path,
                is_test,
                line,
            });
        }
    }

    /// `use a::{b, c as d};`
    fn imports(&mut self, module: &mut Module, is_public: bool, is_test: bool) {
        self.at += 1;
        let line = self.line();
        let mut found = Vec::new();
        self.tree(&Path::new(), &mut found);
        self.at += 1;
        let imports = found.into_iter().map(|(path, name)| Import {
            path,
            name,
            is_public,
            is_test,
            line,
        });
        module.imports.extend(imports);
    }

    /// One branch of a `use`, up to the `,`, `}` or `;` after it.
    fn tree(&mut self, trunk: &Path, found: &mut Vec<(Path, String)>) {
        let mut path = trunk.clone();
        while self.at < self.tokens.len() {
            match self.text(self.at) {
                "," | "}" | ";" => break,
                "{" => {
                    while !["}", ""].contains(&self.text(self.at)) {
                        self.at += 1;
                        self.tree(&path, found);
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    self.at += 1;
                    found.push((path, "*".to_owned()));
                    return;
                }
                "as" => {
                    let name = self.text(self.at + 1).to_owned();
                    self.at += 2;
                    found.push((path, name));
                    return;
                }
                "::" => {}
                // `use a::{self}`
                "self" if !path.is_empty() => {}
                word => path.push(word.to_owned()),
            }
            self.at += 1;
        }
        // After the last comma of a list there may be nothing.
        if path.len() > trunk.len() || self.text(self.at.wrapping_sub(1)) == "self" {
            let name = path.last().cloned().unwrap_or_default();
            found.push((path, name));
        }
    }
}

#[test]
fn what_a_file_defines_imports_and_names_is_read() {
    let source = "
        //! Not crate::words.
        use super::a::B;
        use super::{a, c as d};
        use super::e::*;
        pub use f::G;
        #[cfg(test)]
        mod elsewhere;
        const A: [u8; 2] = [1, h::I];
        pub(in crate::j) const fn k<T: l::M>(n: &str) -> impl T + use<'_, T> { o::P::q(\"r::s\") }
        static mut T: u8 = 1;
        macro_rules! u { () => { $crate::v::w!() } }
        impl X { pub(in crate::j) fn y(self) { use z::Z; self.a::<B>(); c::<D>::e() } }
        #[cfg(test)]
        mod tests { use super::*; fn inner() {} }
    ";
    let read = modules("f.rs", vec!["f".into()], source);
    let [tests, own] = read.as_slice() else {
        panic!("two modules: {read:?}");
    };
    let imports = |module: &Module| -> Vec<String> {
        let imports = module.imports.iter();
        imports
            .map(|one| format!("{} {}", one.path.join("::"), one.name))
            .collect()
    };
    let expected = [
        "super::a::B B",
        "super::a a",
        "super::c d",
        "super::e *",
        "f::G G",
        "z::Z Z",
    ];
    assert_eq!(imports(own), expected);
    assert!(own.imports[4].is_public && !own.imports[3].is_public);
    let names: Vec<&str> = own.names.iter().map(String::as_str).collect();
    assert_eq!(names, ["A", "T", "k", "u"]);
    let mentions = own.mentions.iter().map(|one| one.path.join("::"));
    let mentions: Vec<String> = mentions.collect();
    assert_eq!(mentions, ["h::I", "l::M", "o::P::q", "crate::v::w"]);
    assert!(own.test_files.contains("elsewhere") && !own.is_test);
    assert!(tests.is_test && tests.path == ["f", "tests"] && tests.names.contains("inner"));
    assert_eq!(imports(tests), ["super *"]);
}
