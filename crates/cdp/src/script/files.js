// Gives files to fields and to elements on which they can be dropped, and reads files that a page has made.
const filesOf = getter(HTMLInputElement, 'files');
const setFiles = setter(HTMLInputElement, 'files');
const takesSeveral = getter(HTMLInputElement, 'multiple');
// A multiple of 3, so that the parts in base64 can be joined.
const PART_BYTES = 0x6000;
const isFileField = (element) => isInput(element) && typeOfInput(element) === 'file';
let receiver = null;

// Returns the field for files that an element is, is in the label of, or alone contains; null if there is none.
const fileFieldOf = (element) => {
  if (isFileField(element)) return element;
  const label = closest(element, 'label');
  const labelled = label === null ? null : controlOf(label);
  if (labelled !== null && isFileField(labelled)) return labelled;
  const root = shadowOf(element);
  const inside = [...everyIn(element, 'input'), ...(root === null ? [] : everyIn(root, 'input'))].filter(isFileField);
  return inside.length === 1 ? inside[0] : null;
};

const transferOf = (files) => {
  const transfer = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  return transfer;
};
const namesIn = (field) => [...filesOf(field)].map(({ name, size }) => `${name} ${size}`).join('\n');

// Finds the element that is to get files, and says whether it is a field for them, and what it lacks.
const aimFiles = (wish) => {
  receiver = null;
  const found = findTarget(wish);
  if (found.state !== 'found') return found;
  // A field for files is often not shown.
  const [first] = locate(wish).elements;
  const field = fileFieldOf(first) ?? fileFieldOf(found.element);
  receiver = field ?? found.element;
  const lack = field !== null && isDisabled(field) ? 'the field is disabled' : null;
  const isOne = field !== null && wish.count > 1 && !takesSeveral(field);
  return { state: 'found', isField: field !== null, lack, words: isOne ? 'the field takes one file alone' : null };
};

// Puts files into the field that was found, or into the one for which the page has opened a file chooser.
const giveFiles = ({ files }) => {
  if (!isFileField(receiver)) return { state: 'gone' };
  if (files.length > 1 && !takesSeveral(receiver)) return { state: 'single' };
  setFiles(receiver, transferOf(files).files);
  const wanted = namesIn(receiver);
  dispatch(receiver, new Event('input', { bubbles: true, composed: true }));
  dispatch(receiver, new Event('change', { bubbles: true }));
  return { state: filesOf(receiver).length > 0 && namesIn(receiver) !== wanted ? 'other' : 'given', held: filesOf(receiver).length };
};
const learnReceiver = (element) => { receiver = element; };

// Drops files on the element that was found. Nothing is dropped where the page does not say that it takes them, nor, unless
// it is forced, where the page says it of every place.
const dropFiles = ({ files, isForced = false }) => {
  if (receiver === null || !isConnected(receiver)) return { state: 'gone' };
  const dataTransfer = transferOf(files);
  const { left, top, width, height } = boxOf(receiver);
  const send = (type, element = receiver) => {
    const [clientX, clientY] = [left + width / 2, top + height / 2];
    const event = new DragEvent(type, { bubbles: true, cancelable: true, composed: true, dataTransfer, clientX, clientY });
    return !dispatch(element, event);
  };
  if (!isForced && send('dragover', rootElement(page))) return { state: 'everywhere' };
  send('dragenter');
  if (!send('dragover')) {
    send('dragleave');
    return { state: 'refused' };
  }
  return { state: send('drop') ? 'given' : 'ignored' };
};

const inBase64 = (bytes) => {
  let base64 = '';
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    base64 += btoa(String.fromCharCode(...bytes.subarray(at, at + PART_BYTES)));
  }
  return base64;
};

// Returns the file that the page has made for an address; null if it has made none.
const madeFile = (url) => {
  const fields = [];
  const take = (event) => fields.push(event.relatedTarget);
  addEventListener(`${CHANNEL}<`, take);
  dispatchEvent(new Event(`${CHANNEL}>`));
  removeEventListener(`${CHANNEL}<`, take);
  const field = fields.find((one) => attribute(one, 'title') === url);
  return field === undefined ? null : filesOf(field)[0];
};

// Reads a file at an address of the page, of at most so many bytes, in base64.
const readFile = async ({ url, most, ms }) => {
  try {
    const made = madeFile(url);
    if (made !== null) {
      if (made.size > most) return { state: 'large' };
      const bytes = new Uint8Array(await made.arrayBuffer());
      return { state: 'read', base64: inBase64(bytes), type: made.type, disposition: '' };
    }
    const answer = await fetch(url, { credentials: 'include', signal: AbortSignal.timeout(ms) });
    if (!answer.ok) return { state: 'failed', words: `the server answered with the status ${answer.status}` };
    const parts = [];
    const reader = answer.body?.getReader();
    let size = 0;
    for (let read = await reader?.read(); read && !read.done; read = await reader.read()) {
      size += read.value.length;
      if (size > most) {
        await reader.cancel();
        return { state: 'large' };
      }
      parts.push(read.value);
    }
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    const header = (name) => answer.headers.get(name) ?? '';
    return { state: 'read', base64: inBase64(bytes), type: header('content-type'), disposition: header('content-disposition') };
  } catch {
    return { state: 'failed', words: 'the page does not let it be read' };
  }
};
