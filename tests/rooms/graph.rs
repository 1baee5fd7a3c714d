//! Which file of the source uses which other, by resolving every path to the file that defines it.

use std::collections::{BTreeMap, BTreeSet};

use super::modules::{Import, Module, Path, modules};

/// Files by their paths from the project's root, `src/domain/name.rs`.
pub type Sources = BTreeMap<String, String>;

/// One file uses another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: String,
    pub to: String,
    pub line: usize,
    /// Whether only its tests do.
    pub is_test: bool,
    /// Whether it uses something that is defined there; else it imports the module as such.
    pub is_item: bool,
}

/// The modules of a crate.
pub struct Graph {
    modules: BTreeMap<Path, Module>,
}

/// What a path leads to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Item(String),
    Module(Path),
    Outside(String),
}

/// Rooms that are packages of their own: `crate` leads to them there, and `visual_degrees_...`
/// elsewhere.
const PACKAGES: [(&str, &str); 3] = [
    ("pixels", "visual_degrees_pixels"),
    ("crc32", "crc32fast"),
    ("sandbox", "visual_degrees_sandbox"),
];
/// Names that lead on to names that lead on: no path of ours is longer.
const STEPS_MAX: u32 = 16;
/// Paths begin with these, too, and they are no crates.
const NO_CRATES: [&str; 24] = [
    "alloc",
    "bool",
    "char",
    "clippy",
    "core",
    "f32",
    "f64",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "self",
    "std",
    "str",
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "visual_degrees",
    // A macro of the registry.
    "with_engine",
];

/// Where a module's `crate` leads.
fn root_of(module: &Path) -> Path {
    let is_package = |room: &&String| PACKAGES.iter().any(|(name, _)| name == room);
    module
        .first()
        .filter(is_package)
        .cloned()
        .into_iter()
        .collect()
}

/// The room that is the package of this name.
fn package_of(name: &str) -> Option<Path> {
    let (room, _) = PACKAGES.iter().find(|(_, package)| *package == name)?;
    Some(vec![(*room).to_owned()])
}

impl Graph {
    /// Reads the Rust files of a crate whose root is `src/lib.rs`.
    pub fn of(sources: &Sources) -> Self {
        let mut read = BTreeMap::new();
        for (file, source) in sources {
            if let Some(path) = module_path(file) {
                let of_file = modules(file, path, source).into_iter();
                read.extend(of_file.map(|module| (module.path.clone(), module)));
            }
        }
        let mut graph = Self { modules: read };
        graph.mark_tests();
        graph
    }

    /// What is inside of a test module is a test.
    fn mark_tests(&mut self) {
        let declared = self.modules.values().flat_map(|module| {
            let children = module.test_files.iter();
            children.map(|child| child_of(&module.path, child))
        });
        let inline = self.modules.values().filter(|module| module.is_test);
        let tests: Vec<Path> = declared
            .chain(inline.map(|module| module.path.clone()))
            .collect();
        for module in self.modules.values_mut() {
            module.is_test |= tests.iter().any(|test| module.path.starts_with(test));
        }
    }

    /// Every use of another file, once for each line.
    pub fn arrows(&self) -> BTreeSet<Arrow> {
        let mut arrows = BTreeSet::new();
        for module in self.modules.values() {
            for import in &module.imports {
                let targets = self.targets_of_import(module, import);
                let is_test = module.is_test || import.is_test;
                arrows.extend(self.arrows_to(module, targets, import.line, is_test));
            }
            for mention in &module.mentions {
                let targets = self.resolve(&module.path, &mention.path, STEPS_MAX);
                let is_test = module.is_test || mention.is_test;
                arrows.extend(self.arrows_to(module, targets, mention.line, is_test));
            }
        }
        arrows
    }

    /// The outside crates that a file uses: `(file, crate)`.
    pub fn crates(&self) -> BTreeSet<(String, String)> {
        let mut crates = BTreeSet::new();
        for module in self.modules.values() {
            let imports = module.imports.iter().map(|import| &import.path);
            let mentions = module.mentions.iter().map(|mention| &mention.path);
            for path in imports.chain(mentions) {
                for target in self.resolve(&module.path, path, STEPS_MAX) {
                    if let Target::Outside(name) = target
                        && name.starts_with(char::is_lowercase)
                        && !NO_CRATES.contains(&name.as_str())
                    {
                        crates.insert((module.file.clone(), name));
                    }
                }
            }
        }
        crates
    }

    fn arrows_to(
        &self,
        module: &Module,
        targets: BTreeSet<Target>,
        line: usize,
        is_test: bool,
    ) -> Vec<Arrow> {
        let arrows = targets.into_iter().filter_map(|target| {
            let (to, is_item) = match target {
                Target::Item(file) => (file, true),
                Target::Module(path) => (self.modules.get(&path)?.file.clone(), false),
                Target::Outside(_) => return None,
            };
            let from = module.file.clone();
            (from != to).then_some(Arrow {
                from,
                to,
                line,
                is_test,
                is_item,
            })
        });
        arrows.collect()
    }

    /// What an import leads to: nothing for what a module gives on of its own inner modules.
    fn targets_of_import(&self, module: &Module, import: &Import) -> BTreeSet<Target> {
        let mut targets = self.resolve(&module.path, &import.path, STEPS_MAX);
        if import.name == "*" {
            let modules: Vec<Path> = targets.iter().filter_map(Target::module).collect();
            for path in modules {
                targets.extend(self.all_given_by(&path));
            }
        }
        if import.is_public {
            let own = inner_folder(&module.path);
            targets.retain(|target| {
                !self
                    .file_of(target)
                    .is_some_and(|file| file.starts_with(&own))
            });
        }
        targets
    }

    /// What `use path::*` brings: what is defined there, and what is given on there.
    fn all_given_by(&self, path: &Path) -> BTreeSet<Target> {
        let mut given = BTreeSet::new();
        if let Some(module) = self.modules.get(path) {
            if !module.names.is_empty() {
                given.insert(Target::Item(module.file.clone()));
            }
            for import in module.imports.iter().filter(|import| import.is_public) {
                given.extend(self.resolve(path, &import.path, STEPS_MAX));
            }
        }
        given
    }

    fn file_of(&self, target: &Target) -> Option<String> {
        match target {
            Target::Item(file) => Some(file.clone()),
            Target::Module(path) => Some(self.modules.get(path)?.file.clone()),
            Target::Outside(_) => None,
        }
    }

    /// What a path leads to that stands in a module.
    fn resolve(&self, from: &Path, path: &[String], steps: u32) -> BTreeSet<Target> {
        let is_way = |word: &&String| ["crate", "self", "super"].contains(&word.as_str());
        let (way, rest) = path.split_at(path.iter().take_while(is_way).count());
        let start = way
            .iter()
            .fold(from.clone(), |at, word| match word.as_str() {
                "crate" => root_of(from),
                "super" => at[..at.len().saturating_sub(1)].to_vec(),
                _ => at,
            });
        match rest.first().map(String::as_str) {
            _ if !way.is_empty() => self.walk(&start, rest, steps),
            Some("visual_degrees") => self.walk(&Path::new(), &rest[1..], steps),
            Some("Self") | None => BTreeSet::new(),
            Some(first) if let Some(package) = package_of(first) => {
                self.walk(&package, &rest[1..], steps)
            }
            Some(first) => match self.find(from, rest, steps) {
                found if found.is_empty() => [Target::Outside(first.to_owned())].into(),
                found => found,
            },
        }
    }

    /// Follows a path from a module. What cannot be found there may be made by a macro: it is taken
    /// as defined there.
    fn walk(&self, module: &Path, rest: &[String], steps: u32) -> BTreeSet<Target> {
        if rest.is_empty() {
            return [Target::Module(module.clone())].into();
        }
        match self.find(module, rest, steps) {
            found if found.is_empty() => {
                let module = self.modules.get(module);
                let file = module.map(|module| Target::Item(module.file.clone()));
                file.into_iter().collect()
            }
            found => found,
        }
    }

    /// What a path leads to that begins with a name of a module; empty if it has no such name.
    fn find(&self, path: &Path, names: &[String], steps: u32) -> BTreeSet<Target> {
        let mut found = BTreeSet::new();
        let (Some(module), Some((name, rest))) = (self.modules.get(path), names.split_first())
        else {
            return found;
        };
        let Some(steps) = steps.checked_sub(1) else {
            return found;
        };
        let child = child_of(path, name);
        if self.modules.contains_key(&child) {
            found.extend(self.walk(&child, rest, steps));
            if !rest.is_empty() {
                return found;
            }
        }
        if module.names.contains(name) {
            found.insert(Target::Item(module.file.clone()));
        }
        for import in module.imports.iter().filter(|import| {
            // `use a;` gives on the `a` that is here.
            import.name == *name && import.path != [name.clone()]
        }) {
            found.extend(self.follow(path, import, rest, steps));
        }
        if found.is_empty() {
            let globs = module.imports.iter().filter(|import| import.name == "*");
            for target in globs.flat_map(|glob| self.resolve(path, &glob.path, steps)) {
                if let Target::Module(other) = target {
                    found.extend(self.find(&other, names, steps));
                }
            }
        }
        found
    }

    /// What the rest of a path leads to behind an imported name.
    fn follow(
        &self,
        path: &Path,
        import: &Import,
        rest: &[String],
        steps: u32,
    ) -> BTreeSet<Target> {
        let behind = self.resolve(path, &import.path, steps).into_iter();
        behind
            .flat_map(|target| match target {
                Target::Module(module) => self.walk(&module, rest, steps),
                other => [other].into(),
            })
            .collect()
    }
}

impl Target {
    fn module(&self) -> Option<Path> {
        match self {
            Self::Module(path) => Some(path.clone()),
            _ => None,
        }
    }
}

fn child_of(path: &[String], name: &str) -> Path {
    [path, &[name.to_owned()]].concat()
}

/// Where the files of a module's inner modules are.
fn inner_folder(path: &[String]) -> String {
    let folders = ["src"].into_iter().chain(path.iter().map(String::as_str));
    folders.flat_map(|folder| [folder, "/"]).collect()
}

/// The module that a file is; `None` for what is no Rust file of the library.
fn module_path(file: &str) -> Option<Path> {
    let path = file.strip_prefix("src/")?.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" {
        return Some(Path::new());
    }
    Some(path.split('/').map(str::to_owned).collect())
}
