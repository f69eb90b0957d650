'use strict';
(() => {
  const { report, words } = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, content, className) => {
    const element = document.createElement(tag);
    if (content !== undefined) element.textContent = content;
    if (className) element.className = className;
    return element;
  };
  const percent = (ratio) => (ratio * 100).toFixed(1) + ' %';
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  const statuses = ['no_attribution', 'quoted_not_cited', 'quoted_and_cited', 'excluded'];

  const marks = new Map(); // the elements of each segment
  const looks = new Map(); // and how they look: their class
  for (const mark of all('mark[data-s]')) {
    const segment = Number(mark.dataset.s);
    if (!marks.has(segment)) marks.set(segment, []);
    marks.get(segment).push(mark);
    looks.set(segment, mark.className);
  }
  const letters = {};
  for (const status of statuses) letters[status] = document.querySelector(`.legend mark.${status}`).textContent;
  const sourcesOff = new Set();
  const statusesOff = new Set();
  let covering = []; // for each segment: 0 by no source that is on, 1 by the author's own works alone, 2 by others too
  let chosen = -1;
  let chosenMarks = [];

  const statusOf = (segment) => (covering[segment] === 1 ? 'excluded' : report.segments[segment].status);
  const counts = (segment) => covering[segment] > 0 && !statusesOff.has(statusOf(segment));
  const isOn = (passage) => !sourcesOff.has(passage.source) && !statusesOff.has(passage.status);

  // Sums over segments, as the library does; the denominators stay.
  function recompute() {
    covering = new Uint8Array(report.segments.length);
    const ofSource = new Map();
    for (const passage of report.passages) {
      if (sourcesOff.has(passage.source)) continue;
      const value = report.sources[passage.source].own_work ? 1 : 2;
      for (let at = passage.segments.start; at < passage.segments.end; at++) covering[at] = Math.max(covering[at], value);
    }
    const sums = { all: 0, without_quotes: 0, without_own_work: 0, largest_source: 0 };
    report.segments.forEach((segment, at) => {
      if (!counts(at)) return;
      sums.all += segment.characters;
      if (segment.status !== 'quoted_and_cited') sums.without_quotes += segment.characters;
      if (covering[at] === 2) sums.without_own_work += segment.characters;
    });
    for (const passage of report.passages) {
      if (sourcesOff.has(passage.source)) continue;
      let sum = ofSource.get(passage.source) || 0;
      for (let at = passage.segments.start; at < passage.segments.end; at++) if (counts(at)) sum += report.segments[at].characters;
      ofSource.set(passage.source, sum);
      sums.largest_source = Math.max(sums.largest_source, sum);
    }
    return sums;
  }

  // Segments are cut at the borders of chapters.
  function matchedIn(chapter) {
    let sum = 0;
    report.segments.forEach((segment, at) => {
      if (chapter.start <= segment.start && segment.start < chapter.end && counts(at)) sum += segment.characters;
    });
    return sum;
  }

  function show() {
    const nothingOff = sourcesOff.size === 0 && statusesOff.size === 0;
    const sums = recompute();
    for (const figure of all('#figures .figure')) {
      const given = report.ratios[figure.dataset.ratio];
      const matched = nothingOff ? given.matched : sums[figure.dataset.ratio];
      figure.querySelector('.value').textContent = percent(given.characters ? matched / given.characters : 0);
      figure.querySelector('.of').textContent =
        `${grouped(matched)} ${words.of} ${grouped(given.characters)} ${words.characters}`;
    }
    for (const [at, chapter] of report.chapters.entries()) {
      const matched = nothingOff ? chapter.ratio.matched : matchedIn(chapter);
      const ratio = chapter.ratio.characters ? matched / chapter.ratio.characters : 0;
      for (const place of all(`[data-chapter="${at}"]`)) {
        place.querySelector('.share').textContent = percent(ratio);
        const bar = place.querySelector('.fill');
        if (bar) bar.setAttribute('width', (ratio * 100).toFixed(1));
      }
    }
    const left = [];
    if (sourcesOff.size) left.push(`${sourcesOff.size} ${words.sources_off}`);
    for (const status of statuses) if (statusesOff.has(status)) left.push(words[status === 'excluded' ? 'status_excluded' : status]);
    byId('left-out').textContent = nothingOff ? '' : `${words.recomputed}. ${words.left_out}${left.join(', ')}.`;
    for (const [segment, elements] of marks) paint(segment, elements);
    for (const mark of chosenMarks) mark.classList.add('chosen');
    tellPosition();
  }

  // Touches only what looks different from before: each element that is touched is laid out anew.
  function paint(segment, elements) {
    const status = statusOf(segment);
    const look = counts(segment) ? status : `${status} off`;
    if (looks.get(segment) === look) return;
    looks.set(segment, look);
    for (const mark of elements) {
      mark.className = look;
      if (mark.dataset.letter) mark.dataset.letter = letters[status];
    }
  }

  const visible = () => report.passages.map((_, at) => at).filter((at) => isOn(report.passages[at]));

  function tellPosition() {
    const list = visible();
    byId('position').textContent = `${chosen < 0 ? 0 : list.indexOf(chosen) + 1} / ${list.length}`;
  }

  function step(by) {
    const list = visible();
    if (list.length === 0) return;
    const here = list.indexOf(chosen);
    const next = here < 0 ? (by > 0 ? 0 : list.length - 1) : (here + by + list.length) % list.length;
    choose(list[next]);
  }

  // A piece that stands on one side alone; characters without width get a sign that is seen.
  function edit(tag, piece) {
    const element = make(tag);
    piece.split(/([\u00ad\u200b-\u200f\u2060\ufeff])/).forEach((part, at) => {
      element.append(at % 2 ? make('span', part, 'unseen') : part);
    });
    return element;
  }

  function side(target, passage, own) {
    target.replaceChildren();
    for (const [where, piece] of passage.pieces) {
      if (where === 0) target.append(piece);
      else if ((where < 0) === own) target.append(edit(own ? 'del' : 'ins', piece));
    }
    target.scrollTop = 0;
  }

  function outline(elements) {
    for (const mark of chosenMarks) mark.classList.remove('chosen');
    for (const mark of elements) mark.classList.add('chosen');
    chosenMarks = elements;
  }

  function choose(at) {
    chosen = at;
    const passage = report.passages[at];
    const source = report.sources[passage.source];
    const of = [];
    for (let segment = passage.segments.start; segment < passage.segments.end; segment++) of.push(...(marks.get(segment) || []));
    outline(of);
    side(byId('ours'), passage, true);
    side(byId('theirs'), passage, false);
    if (passage.pieces.every(([where]) => where < 0)) byId('theirs').append(make('em', words.no_source_text));
    if (passage.cut) byId('theirs').append(make('p', words.cut));

    const card = byId('card');
    card.replaceChildren(make('bdi', source.title || source.id, 'name'));
    const facts = [source.title ? source.id : null, source.author, source.date].filter(Boolean);
    for (const fact of facts) card.append(' · ', make('bdi', fact));
    card.append(` · ${percent(source.ratio)} (${grouped(source.matched)} ${words.characters}, ${grouped(source.credited)} ${words.credited.toLowerCase()})`);

    const why = byId('why');
    why.replaceChildren();
    const tell = (term, value) => {
      const pair = make('div');
      pair.append(make('dt', term), make('dd', value));
      why.append(pair);
    };
    tell(words.kind, words[passage.kind] || passage.kind);
    tell(words.similarity, percent(passage.similarity));
    tell(words.length, `${grouped(passage.characters)} ${words.characters}`);
    tell(words.edits, passage.edited_words === null ? words.unknown : String(passage.edited_words));
    tell(words.others, String(passage.others));
    const status = passage.status === 'excluded' ? 'status_excluded' : passage.status;
    tell(words.counted, words[status]);

    byId('compare').hidden = false;
    document.body.classList.add('comparing');
    if (of.length > 0) of[0].scrollIntoView({ block: 'start' });
    tellPosition();
  }

  function close() {
    byId('compare').hidden = true;
    document.body.classList.remove('comparing');
    outline([]);
    chosen = -1;
    tellPosition();
  }

  // Of the passages that cover a segment the first; again and again: the next one.
  function chooseAt(segment) {
    const here = visible().filter((at) => {
      const range = report.passages[at].segments;
      return range.start <= segment && segment < range.end;
    });
    if (here.length > 0) choose(here[(here.indexOf(chosen) + 1) % here.length]);
  }

  document.querySelector('article').addEventListener('click', (event) => {
    const mark = event.target.closest('mark[data-s]');
    if (mark && getSelection().isCollapsed) chooseAt(Number(mark.dataset.s));
  });
  byId('next').addEventListener('click', () => step(1));
  byId('previous').addEventListener('click', () => step(-1));
  byId('close').addEventListener('click', close);
  for (const row of all('tr[data-source]')) {
    const source = Number(row.dataset.source);
    const box = row.querySelector('input');
    box.checked = true;
    box.addEventListener('change', () => {
      if (box.checked) sourcesOff.delete(source);
      else sourcesOff.add(source);
      row.classList.toggle('off', !box.checked);
      show();
    });
    row.querySelector('button').addEventListener('click', () => {
      const at = report.passages.findIndex((passage) => passage.source === source);
      if (at >= 0) choose(at);
    });
  }
  for (const box of all('input[data-status]')) {
    box.checked = true;
    box.addEventListener('change', () => {
      if (box.checked) statusesOff.delete(box.dataset.status);
      else statusesOff.add(box.dataset.status);
      show();
    });
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (event.key === 'n' || event.key === 'ArrowRight') step(1);
    else if (event.key === 'p' || event.key === 'ArrowLeft') step(-1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  });

  // Scrolled together, by the share that is scrolled.
  const sides = [byId('ours'), byId('theirs')];
  let leading = null;
  for (const [at, element] of sides.entries()) {
    element.addEventListener('scroll', () => {
      if (leading === element) {
        leading = null;
        return;
      }
      const other = sides[1 - at];
      const room = element.scrollHeight - element.clientHeight;
      const top = room > 0 ? (element.scrollTop / room) * (other.scrollHeight - other.clientHeight) : 0;
      if (Math.abs(other.scrollTop - top) > 1) {
        leading = other;
        other.scrollTop = top;
      }
    });
  }
  show();
})();
