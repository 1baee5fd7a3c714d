//! A screenshot of the desktop: a grey box for each element of the front windows.

use super::element::Element;

const WIDTH: u32 = 320;
const HEIGHT: u32 = 280;

/// Draws a PNG and returns it with its width and height in pixels. The PNG is empty if encoding fails, which has never
/// been seen.
pub(super) fn picture(elements: &[&Element]) -> (Vec<u8>, u32, u32) {
    let mut grey = vec![240_u8; (WIDTH * HEIGHT) as usize];
    for element in elements {
        let shade = if element.role == "button" { 120 } else { 200 };
        for y in element.top..element.top + element.height {
            for x in element.left..element.left + element.width {
                let at = y * i64::from(WIDTH) + x;
                let pixel = usize::try_from(at).ok().and_then(|at| grey.get_mut(at));
                if let Some(pixel) = pixel {
                    *pixel = shade;
                }
            }
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, WIDTH, HEIGHT);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder
        .write_header()
        .and_then(|mut writer| writer.write_image_data(&grey));
    match written {
        Ok(()) => (file, WIDTH, HEIGHT),
        Err(_) => (Vec::new(), WIDTH, HEIGHT),
    }
}
