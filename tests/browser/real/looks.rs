//! What is seen of a page.

use super::site::Site;
use super::support::{terms, with_browser};

#[test]
fn a_page_is_seen() {
    let site =
        Site::of("<title>A page</title><h1>Hello</h1><p class='a md:b c'>one <b>two</b> three</p>");
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let seen = bench.look().await;
        println!("{seen:?}");
        let t = std::time::SystemTime::now();
        for _ in 0..20 {
            bench.look().await;
        }
        println!("look {:?}", t.elapsed().unwrap() / 20);
        println!(
            "{:?} {:?}",
            bench.click("h1").await,
            bench.browser_remarks()
        );
        let seen = bench
            .look_for(&visual_degrees::page::Look {
                wants_picture: true,
                wants_elements: true,
                ..Default::default()
            })
            .await;
        println!("{:?}", seen.picture.map(|p| p.jpeg.len()));
        assert_eq!(seen.view.title, "A page");
    });
}
