//! Writes small PDF files.

/// A PDF file of objects 1, 2 and so on; 1 is the catalogue. There is no table of them: readers look for them.
pub fn of_objects(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.5\n".to_vec();
    for (number, object) in (1..).zip(objects) {
        bytes.extend(format!("{number} 0 obj\n").into_bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    bytes.extend(b"trailer <</Root 1 0 R>>\n%%EOF\n");
    bytes
}

/// A stream, with what stands in its dictionary besides its length.
pub fn stream(dictionary: &str, content: &[u8]) -> Vec<u8> {
    let start = format!("<<{dictionary}/Length {}>>stream\n", content.len()).into_bytes();
    [&start, content, b"\nendstream"].concat()
}

/// A document of `pages` pages of A4 with nothing on them.
pub fn of_empty_pages(pages: usize) -> Vec<u8> {
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", page + 3)).collect();
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned()];
    objects.push(format!("<</Type/Pages/Kids[{kids}]/Count {pages}>>"));
    objects.extend((0..pages).map(|_| "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>".to_owned()));
    of_objects(&objects.into_iter().map(String::into_bytes).collect::<Vec<_>>())
}

/// A page of A4 that a grey picture fills, which is a PGM file with 255 for white.
pub fn of_picture(pgm: &[u8]) -> Vec<u8> {
    of_picture_and(pgm, "")
}

/// The same with more drawn upon the picture, for which there is the font `/F`.
pub fn of_picture_and(pgm: &[u8], more: &str) -> Vec<u8> {
    let mut header = pgm.splitn(4, |byte| *byte == b'\n');
    assert_eq!(header.next(), Some(&b"P5"[..]));
    let size = String::from_utf8(header.next().unwrap().to_vec()).unwrap();
    let (width, height) = size.split_once(' ').unwrap();
    let pixels = header.nth(1).unwrap();
    let picture =
        format!("/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8");
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>\
          /Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>>>>>>>"
            .to_vec(),
        stream("", format!("q 595 0 0 842 0 0 cm /I Do Q {more}").as_bytes()),
        stream(&picture, pixels),
    ];
    of_objects(&objects)
}
