//! People who share a name, distinguished by their numbers.

use devtools::rehearsal::WorldProviders;
use domain::{Limits, Name, Plan, TypedPerson, WikidataNumber};
use investigation::machine::{
    FinalReport, Input, Investigation, NoPathReport, NoticeKind, PersonRef, Reason, Request,
};
use kernel::Millis;
use sandbox::{Rules, World, WorldPerson, own_world};

/// How a run ended, and everything it emitted.
struct Told {
    end: Result<FinalReport, NoPathReport>,
    messages: Vec<String>,
    /// Each path emitted, from the first person to the last.
    paths: Vec<Vec<PersonRef>>,
}

impl Told {
    fn says(&self, words: &str) -> bool {
        self.messages.iter().any(|message| message.contains(words))
    }
}

/// Runs the machine in a world whose recogniser sees everybody.
fn run(world: &World, ends: [TypedPerson; 2], plan: Plan) -> Told {
    let [person_a, person_b] = ends;
    let limits = Limits {
        plan,
        // Who is found matters here, not how soon.
        searches_max: 200,
        images_per_search: 10,
        planner_calls_max: 100,
        recognitions_max: 1_000,
        ..Limits::default()
    };
    let mut machine = Investigation::new(Request {
        sources: Vec::new(),
        person_a,
        person_b,
        avoid: Vec::new(),
        limits,
    });
    let mut providers = WorldProviders::new(world, Rules::from(0.0));
    let (mut messages, mut paths) = (Vec::new(), Vec::new());
    let mut input = Input::Start;
    loop {
        machine.handle(input, Millis::default());
        while let Some(notice) = machine.next_notice() {
            match notice.kind {
                NoticeKind::Status(status) => messages.push(status.message),
                NoticeKind::PathUpdate(path) => paths.push(path),
                NoticeKind::Evidence(_) | NoticeKind::PageCapture(_) => {}
                NoticeKind::Final(report) => {
                    let end = Ok(*report);
                    return Told {
                        end,
                        messages,
                        paths,
                    };
                }
                NoticeKind::NoPath(report) => {
                    let end = Err(*report);
                    return Told {
                        end,
                        messages,
                        paths,
                    };
                }
                NoticeKind::Error(report) => panic!("nothing fails here: {report:?}"),
            }
        }
        input = match machine.next_command() {
            Some(command) => Input::Answer(providers.answer(&command)),
            None if machine.is_withdrawing() => Input::Withdrawn { lost: Vec::new() },
            None => panic!("it waits for nothing"),
        };
    }
}

fn typed(name: &str, number: Option<&str>) -> TypedPerson {
    TypedPerson {
        name: Name::parse(name).unwrap(),
        wikidata: number.map(|number| WikidataNumber::parse(number).unwrap()),
    }
}

fn meant(person: &WorldPerson) -> TypedPerson {
    typed(&person.name, Some(&person.wikidata_number))
}

/// Returns the pairs of namesakes, and somebody with a unique name whose number the recogniser knows.
fn namesakes(world: &World) -> (Vec<[usize; 2]>, usize) {
    let is_known = |person: &usize| world.people[*person].wikidata.is_some();
    let mut pairs = Vec::new();
    let mut others = Vec::new();
    for (number, person) in world.people.iter().enumerate() {
        match *world.bearers(&person.name) {
            [first, second] if first == number => pairs.push([first, second]),
            [alone] => others.push(alone),
            _ => {}
        }
    }
    (pairs, others.into_iter().find(is_known).unwrap())
}

/// Numbers guarantee that an end of a chain is the person with the number.
#[derive(Default)]
struct Figures {
    runs: usize,
    chains: usize,
    unknown: usize,
    kept_apart: usize,
}

impl Figures {
    fn check(&mut self, world: &World, ends: [usize; 2], plan: Plan) {
        let people = ends.map(|end| &world.people[end]);
        let told = run(world, people.map(meant), plan);
        let what = format!("{} {} to {}", plan.as_str(), people[0].key, people[1].key);
        self.runs += 1;
        let says_apart = told.says("they are kept apart");
        self.kept_apart += usize::from(says_apart);
        let is_nameless = people.iter().any(|person| person.wikidata.is_none());
        // The two people searched are not namesakes of each other.
        let is_of_each_other = people[0].name == people[1].name && !is_nameless;
        assert!(
            !(says_apart && is_of_each_other),
            "{what}: told of the other"
        );
        // On the way, a namesake may be in between, but never an end.
        for path in &told.paths {
            let is_from_a = path.first().unwrap().id == people[0].id;
            let is_from_b = path.last().unwrap().id == people[1].id;
            assert!(is_from_a || is_from_b, "{what}: {path:?}");
        }
        match &told.end {
            Ok(report) => {
                self.chains += 1;
                let [first, last] = [report.path.first(), report.path.last()];
                for (end, person) in [first, last].into_iter().zip(people) {
                    let end = end.unwrap();
                    assert_eq!(end.id, person.id, "{what}");
                    // If both have one name, the number distinguishes them.
                    let with_number = format!("{} ({})", person.name, person.wikidata_number);
                    let have_one_name = people[0].name == people[1].name;
                    let name = if have_one_name {
                        &with_number
                    } else {
                        &person.name
                    };
                    assert_eq!(end.name, *name, "{what}");
                }
            }
            Err(report) => {
                // Without a number from the recogniser, namesakes cannot be distinguished.
                for (side, person) in report
                    .unknown
                    .iter()
                    .map(|side| (side, people[usize::from(side.as_str() == "b")]))
                {
                    assert_eq!(person.wikidata, None, "{what}: {side:?} is known by number");
                }
                assert_eq!(
                    report.reason == Reason::UnknownPerson,
                    is_nameless,
                    "{what}"
                );
                // The explanation says what would help.
                let helps = report.explanation.contains("a run without the number");
                assert_eq!(helps, is_nameless, "{what}: {}", report.explanation);
                self.unknown += usize::from(is_nameless);
            }
        }
        assert!(
            told.end.is_err() || !is_nameless,
            "{what}: bound without a number"
        );
    }
}

#[test]
fn a_number_binds_the_person_who_is_meant_and_no_namesake() {
    let world = World::with_namesakes(3, 20);
    let (pairs, other) = namesakes(&world);
    assert_eq!(pairs.len(), 20);
    for plan in Plan::ALL {
        let mut figures = Figures::default();
        for [one, second] in &pairs {
            figures.check(&world, [*one, other], plan);
            figures.check(&world, [*second, other], plan);
            figures.check(&world, [*one, *second], plan);
            figures.check(&world, [*second, *one], plan);
        }
        println!(
            "{}: {} runs, {} chains, {} unknown to the recogniser, {} namesakes told",
            plan.as_str(),
            figures.runs,
            figures.chains,
            figures.unknown,
            figures.kept_apart
        );
        assert_eq!(figures.runs, 80);
        assert!(figures.chains > 40, "{} chains", figures.chains);
        assert!(figures.kept_apart > 40, "{} told", figures.kept_apart);
    }
}

#[test]
fn without_a_number_the_first_who_is_recognised_is_meant_and_a_second_one_told() {
    let world = World::with_namesakes(3, 20);
    let (pairs, other) = namesakes(&world);
    for plan in Plan::ALL {
        let (mut told_apart, mut chains) = (0, 0);
        for [one, second] in &pairs {
            let ends = [*one, other].map(|end| typed(&world.people[end].name, None));
            let told = run(&world, ends, plan);
            assert!(!told.says("who is not"), "nobody is not meant");
            told_apart += usize::from(told.says("A second person named"));
            if let Ok(report) = told.end {
                chains += 1;
                let id = &report.path[0].id;
                let bearers = [one, second].map(|person| &world.people[*person].id);
                assert!(bearers.contains(&id), "{id} bears another name");
            }
        }
        println!("{}: {chains} chains, {told_apart} told", plan.as_str());
        assert!(chains > 5 && told_apart > 10, "{chains} {told_apart}");
    }
}

#[test]
fn somebody_typed_by_an_alias_and_a_number_is_found_and_shown_as_typed() {
    const ALIAS: &str = "The Count of Monte Cristo";
    let world = own_world().unwrap();
    let [count] = *world.people_named(ALIAS) else {
        panic!("one person has that name");
    };
    let person = &world.people[count];
    assert_eq!(person.name, "Edmond Dantès");
    assert!(person.wikidata.is_some(), "the recogniser knows the number");
    for plan in Plan::ALL {
        let ends = [
            typed(ALIAS, Some(&person.wikidata_number)),
            typed("Jean Valjean", None),
        ];
        let report = run(&world, ends, plan).end.unwrap();
        let first = &report.path[0];
        assert_eq!((&*first.name, &first.id), (ALIAS, &person.id));
    }
}
