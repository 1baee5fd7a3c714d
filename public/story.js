// The lines of a run as a story: repetitions are folded. Pure: lines in, rows out.
//
// A line is `{n, state, message, news}`; `news` says that it proved a link. A row is `{message, lines}`; a row with
// several lines summarises them.

const PHOTO = /^Photo \d+ /;
const LOST = /^Photo \d+ (could not be|is left over)/;
const SEARCH = /^Searching for photos: /;

/** The rows of a story, the oldest first. The current chapter is shown line by line. */
export function rowsOf(lines, isOver) {
  const chapters = chaptersOf(lines);
  const last = isOver ? chapters.length : chapters.length - 1;
  const rows = [];
  let dull = []; // expansions without news, one after the other
  const close = () => {
    const [first, ...more] = dull;
    if (first) rows.push(...rowsOfChapter(first));
    if (more.length > 0) rows.push({ message: expansions(more.length), lines: more.flatMap((one) => one.lines) });
    dull = [];
  };
  for (const [place, chapter] of chapters.entries()) {
    if (place < last && chapter.isExpansion && !chapter.lines.some(({ news }) => news)) {
      dull.push(chapter);
      continue;
    }
    close();
    rows.push(...(place < last ? rowsOfChapter(chapter) : chapter.lines.map(rowOf)));
  }
  close();
  return rows;
}

// Divides lines into chapters. A chapter is a search with its photos, preceded by the reason for the search.
function chaptersOf(lines) {
  const chapters = [];
  let chapter = null;
  for (const line of lines) {
    const isSearch = SEARCH.test(line.message);
    const isChoice = line.state === 'S3' && !isSearch;
    const begins = !chapter || (isSearch && chapter.hasSearch) || (isChoice && chapter.hasSearch);
    if (begins) {
      chapter = { lines: [], hasSearch: false, isExpansion: false };
      chapters.push(chapter);
    }
    chapter.lines.push(line);
    chapter.hasSearch ||= isSearch;
    chapter.isExpansion ||= isSearch && line.state !== 'S1';
  }
  return chapters;
}

// Consecutive photos that brought nothing new share one row.
function rowsOfChapter({ lines }) {
  const rows = [];
  let photos = [];
  const close = () => {
    if (photos.length === 1) rows.push(rowOf(photos[0]));
    if (photos.length > 1) rows.push({ message: nothingNew(photos), lines: photos });
    photos = [];
  };
  for (const line of lines) {
    if (PHOTO.test(line.message) && !line.news) {
      photos.push(line);
    } else {
      close();
      rows.push(rowOf(line));
    }
  }
  close();
  return rows;
}

const rowOf = (line) => ({ message: line.message, lines: [line] });

function nothingNew(photos) {
  const lost = photos.filter(({ message }) => LOST.test(message)).length;
  const seen = photos.length - lost;
  const photosOf = (count) => `${count} ${count === 1 ? 'photo' : 'photos'}`;
  if (seen === 0) return `${photosOf(lost)} could not be looked at.`;
  const shown = `${photosOf(seen)} ${seen === 1 ? 'shows' : 'show'} nothing new`;
  return lost === 0 ? `${shown}.` : `${shown}, ${lost} could not be looked at.`;
}

const expansions = (count) =>
  count === 1 ? '1 more expansion found nothing new.' : `${count} more expansions, each found nothing new.`;
