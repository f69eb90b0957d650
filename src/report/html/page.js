'use strict';
(() => {
  document.documentElement.style.setProperty('--foot', JSON.stringify(document.body.dataset.foot));
  const { report, words, left_out, no_wording } = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, content, className) => {
    const element = document.createElement(tag);
    if (content !== undefined) element.textContent = content;
    if (className) element.className = className;
    return element;
  };
  const percent = (ratio) => (ratio * 100).toFixed(1) + '%';
  const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ',');
  const filled = (pattern, ...values) => pattern.replaceAll('{}', () => values.shift());
  const statuses = ['no_attribution', 'quoted_not_cited', 'quoted_and_cited', 'excluded'];
  const nameOf = (status) => words[status === 'excluded' ? 'status_excluded' : status];
  const colours = 8;

  const marks = new Map(); // the elements of each segment
  const looks = new Map(); // and how they look: class and label
  for (const mark of all('article [data-s]')) {
    const segment = Number(mark.dataset.s);
    if (!marks.has(segment)) marks.set(segment, []);
    marks.get(segment).push(mark);
  }
  const leftOut = new Set(left_out); // passages that do not count by a decision
  const sourcesOff = new Set();
  const statusesOff = new Set();
  let shortest = 0; // matches with fewer characters are not counted
  let covering = []; // for each segment: 0 by no source that is on, 1 by the author's own works alone, 2 by others too
  let aside = []; // whether nothing but what was left out covers it
  let best = []; // and the source with the most that is on
  let chosen = -1;
  let chosenWeak = -1;
  let chosenMarks = [];

  const isAlive = (passage) => !sourcesOff.has(passage.source) && passage.characters >= shortest;
  const isOn = (passage) => isAlive(passage) && !statusesOff.has(passage.status);
  const statusOf = (segment) => (covering[segment] === 1 || aside[segment] ? 'excluded' : report.segments[segment].status);
  const counts = (segment) => covering[segment] > 0 && !statusesOff.has(statusOf(segment));
  const isShown = (segment) => counts(segment) || (aside[segment] && !statusesOff.has('excluded'));

  // The segments that a passage covers: those that it reaches over without its submission's own text.
  const isOwn = (passage, at) => passage.own_segments.some((own) => own.start <= at && at < own.end);
  const covers = (passage, at) => passage.segments.start <= at && at < passage.segments.end && !isOwn(passage, at);
  function* covered(passage) {
    for (let at = passage.segments.start; at < passage.segments.end; at++) if (!isOwn(passage, at)) yield at;
  }

  // Sums over segments, as the library does; the denominators stay.
  function recompute() {
    covering = new Uint8Array(report.segments.length);
    best = new Int32Array(report.segments.length).fill(-1);
    aside = new Uint8Array(report.segments.length);
    for (const [place, passage] of report.passages.entries()) {
      if (!isAlive(passage) || leftOut.has(place)) continue;
      const value = report.sources[passage.source].own_work ? 1 : 2;
      for (const at of covered(passage)) {
        covering[at] = Math.max(covering[at], value);
        if (best[at] < 0 || passage.source < best[at]) best[at] = passage.source;
      }
    }
    for (const place of leftOut) {
      const passage = report.passages[place];
      if (!isAlive(passage)) continue;
      for (const at of covered(passage)) {
        if (covering[at]) continue;
        aside[at] = 1;
        if (best[at] < 0 || passage.source < best[at]) best[at] = passage.source;
      }
    }
    const sums = { all: 0, without_quotes: 0, without_own_work: 0, largest_source: 0, sources: new Map() };
    report.segments.forEach((segment, at) => {
      if (!counts(at)) return;
      sums.all += segment.characters;
      if (segment.status !== 'quoted_and_cited') sums.without_quotes += segment.characters;
      if (covering[at] === 2) sums.without_own_work += segment.characters;
    });
    // A segment counts once for a source, however many of its matches have it.
    const counted = report.sources.map(() => new Set());
    for (const [place, passage] of report.passages.entries()) {
      if (!isAlive(passage) || leftOut.has(place)) continue;
      let sum = sums.sources.get(passage.source) || 0;
      for (const at of covered(passage)) {
        if (counts(at) && !counted[passage.source].has(at)) sum += report.segments[at].characters;
        counted[passage.source].add(at);
      }
      sums.sources.set(passage.source, sum);
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

  function share(place, ratio) {
    place.querySelector('.share').textContent = percent(ratio);
    const bar = place.querySelector('.fill');
    if (bar) bar.setAttribute('width', (ratio * 100).toFixed(1));
  }

  function show() {
    const nothingOff = sourcesOff.size === 0 && statusesOff.size === 0 && shortest === 0;
    const asFound = nothingOff && leftOut.size === 0;
    const sums = recompute();
    const { certainty } = byId('overview').dataset;
    const worth = (ratio) => (certainty === 'unknown' ? '–' : (certainty === 'at_least' ? words.at_least : '') + percent(ratio));
    for (const figure of all('#figures .figure[data-ratio]')) {
      const given = report.ratios[figure.dataset.ratio];
      // Short runs are of no source.
      const matched = asFound ? given.matched : sums[figure.dataset.ratio] ?? given.matched;
      figure.querySelector('.value').textContent = worth(given.characters ? matched / given.characters : 0);
      figure.querySelector('.of').textContent =
        `${grouped(matched)} ${words.of} ${grouped(given.characters)} ${words.characters}`;
    }
    for (const [at, chapter] of report.chapters.entries()) {
      const matched = asFound ? chapter.ratio.matched : matchedIn(chapter);
      for (const place of all(`[data-chapter="${at}"]`)) share(place, chapter.ratio.characters ? matched / chapter.ratio.characters : 0);
    }
    const total = report.ratios.all.characters;
    for (const row of all('[data-source]')) {
      const at = Number(row.dataset.source);
      const source = report.sources[at];
      row.classList.toggle('off', sourcesOff.has(at) || 'aside' in row.dataset);
      share(row, asFound || sourcesOff.has(at) ? source.ratio : (sums.sources.get(at) || 0) / (total || 1));
    }
    tellWhatIsOff(nothingOff);
    drawStrip();
    for (const [segment, elements] of marks) paint(segment, elements);
    for (const mark of chosenMarks) mark.classList.add('chosen');
    tellPosition();
    remember();
  }

  function tellWhatIsOff(nothingOff) {
    const message = byId('left-out');
    message.replaceChildren();
    if (nothingOff) return;
    const left = [];
    if (sourcesOff.size) left.push(filled(words.sources_off, sourcesOff.size));
    for (const status of statuses) if (statusesOff.has(status)) left.push(nameOf(status));
    if (shortest) left.push(filled(words.shorter_than, shortest));
    const restore = make('button', words.restore);
    restore.type = 'button';
    restore.addEventListener('click', () => {
      set('');
      show();
    });
    message.append(filled(words.recomputed, left.join(words.list_comma)), restore);
  }

  // The strip as the library draws it: 400 columns, filled as far as their text counts, by status.
  function drawStrip() {
    const strip = document.querySelector('.strip');
    if (!strip) return;
    const columns = 400;
    const scale = columns / Math.max(report.submission.text_characters, 1);
    const filled = Array.from({ length: columns }, () => [0, 0, 0, 0]);
    report.segments.forEach((segment, at) => {
      if (!isShown(at)) return;
      const [start, end] = [segment.start * scale, segment.end * scale];
      const status = statuses.indexOf(statusOf(at));
      for (let column = Math.floor(start); column < Math.min(Math.ceil(end), columns); column++) {
        filled[column][status] += Math.max(Math.min(column + 1, end) - Math.max(column, start), 0);
      }
    });
    for (const rect of all('rect:not(.ground):not(.border)', strip)) rect.remove();
    const border = strip.querySelector('.border');
    filled.forEach((shares, column) => {
      let ground = 40;
      shares.forEach((part, status) => {
        if (part * 40 < 0.05) return;
        ground -= part * 40;
        const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
        const place = { class: statuses[status], x: column, y: Math.max(ground, 0).toFixed(1), width: 1.05, height: (part * 40).toFixed(1) };
        for (const [name, value] of Object.entries(place)) rect.setAttribute(name, value);
        strip.insertBefore(rect, border);
      });
    });
  }

  const letters = Object.fromEntries(statuses.map((status) => [status, words[`letter_${status}`]]));

  // Touches only what looks different from before: each element that is touched is laid out anew.
  function paint(segment, elements) {
    if (!report.segments[segment].matched) return;
    const status = statusOf(segment);
    const before = segment > 0 && isShown(segment - 1) && statusOf(segment - 1) === status && best[segment - 1] === best[segment];
    const look = isShown(segment) ? `${status} s${best[segment] % colours}` : `${status} off`;
    const label = isShown(segment) && !before ? `${best[segment] + 1}${letters[status]}` : '';
    if (looks.get(segment) === look + label) return;
    looks.set(segment, look + label);
    elements.forEach((mark, at) => {
      mark.className = look;
      if (at === 0 && label) mark.dataset.n = label;
      else delete mark.dataset.n;
    });
  }

  // What counts comes first.
  function visible() {
    const on = report.passages.map((_, at) => at).filter((at) => isOn(report.passages[at]));
    return [...on.filter((at) => !report.passages[at].why), ...on.filter((at) => report.passages[at].why)];
  }

  function tellPosition() {
    if (!byId('position')) return;
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

  // A piece that stands on one side alone or elsewhere; characters without width get a sign that is seen.
  function edit(target, look, piece) {
    const element = look ? make(look === 'moved' ? 'span' : look, undefined, look === 'moved' ? 'moved' : undefined) : target;
    piece.split(/([\u00ad\u200b-\u200f\u2060-\u2064\ufeff])/).forEach((part, at) => {
      element.append(at % 2 && look ? make('span', part, 'unseen shown') : part);
    });
    if (look) target.append(element);
  }

  // One side of a passage. Pieces below 0 are the submission's, above it the source's; 1 is on one side alone, 2 moved.
  function side(target, passage, own) {
    target.replaceChildren();
    const starts = passage.parts.map((part, at) => [part[own ? 0 : 1], at + 1]).sort((a, b) => a[0] - b[0]);
    // What the other side does not have: it is shown, and counts in nothing.
    const gaps = own ? passage.own : passage.left_out;
    const inGap = (at) => gaps.some(([start, end]) => start <= at && at < end);
    const put = (letters, from, look) => {
      for (let first = 0, end; first < letters.length; first = end) {
        const gap = inGap(from + first);
        for (end = first + 1; end < letters.length && inGap(from + end) === gap; end++);
        const to = gap ? make('span', undefined, 'own') : target;
        edit(to, gap ? '' : look, letters.slice(first, end).join(''));
        if (gap) target.append(to);
      }
    };
    let place = 0;
    for (const [where, piece] of passage.pieces) {
      if (where !== 0 && (where < 0) !== own) continue;
      // Of wordings that were too long to be compared nothing is known to differ.
      const look = where === 0 || passage.edited_words === null ? '' : Math.abs(where) === 2 ? 'moved' : own ? 'del' : 'ins';
      const letters = [...piece];
      let done = 0;
      while (starts.length && starts[0][0] < place + letters.length) {
        const [start, number] = starts.shift();
        const cut = Math.max(start - place, done);
        put(letters.slice(done, cut), place + done, look);
        const sign = make('span', undefined, 'part');
        sign.dataset.part = String(number);
        target.append(sign);
        done = cut;
      }
      put(letters.slice(done), place + done, look);
      place += letters.length;
    }
    target.scrollTop = 0;
  }

  function outline(elements) {
    for (const mark of chosenMarks) mark.classList.remove('chosen');
    for (const mark of elements) mark.classList.add('chosen');
    chosenMarks = elements;
  }

  // Verbatim is said only of what is: the kind allows for a few units in a hundred.
  const isSame = (passage) => passage.similarity === 1 && !passage.edited_words && !passage.own.length && !passage.left_out.length;
  const kindOf = (passage) => words[passage.kind === 'verbatim' && !isSame(passage) ? 'nearly_verbatim' : passage.kind] || passage.kind;

  function facts(passage, weak) {
    const list = [
      [words.kind, kindOf(passage)],
      [words.similarity, percent(passage.similarity)],
      [words.length, `${grouped(passage.characters)} ${words.characters}`],
      [words.edits, passage.edited_words === null ? words.unknown : String(passage.edited_words)],
    ];
    if (passage.others) list.push([words.others, String(passage.others)]);
    if (passage.holders > 1) list.push([words.holders, grouped(passage.holders)]);
    if (weak) list.push([words.counted, words.weak]);
    else if (passage.why) list.push([words.not_counted_as, passage.why]);
    else list.push([words.attribution, nameOf(passage.status)]);
    return list;
  }

  function choose(at, weak = false) {
    [chosen, chosenWeak] = weak ? [-1, at] : [at, -1];
    const passage = (weak ? report.weak : report.passages)[at];
    const source = report.sources[passage.source];
    const of = [];
    for (const segment of covered(passage)) of.push(...(marks.get(segment) || []));
    outline(of);
    side(byId('ours'), passage, true);
    side(byId('theirs'), passage, false);
    if (passage.pieces.every(([where]) => where < 0)) byId('theirs').append(make('em', no_wording));
    if (passage.cut) byId('theirs').append(make('p', words.cut));

    const card = byId('card');
    card.replaceChildren();
    if (!weak) card.append(make('span', String(passage.source + 1), `chip s${passage.source % colours}`), ' ');
    card.append(make('bdi', source.id, 'name'));
    for (const fact of [source.title, source.author, source.date]) if (fact) card.append(' · ', make('bdi', fact));
    card.append(` · ${percent(source.ratio)}`);
    byId('why').replaceChildren();
    for (const [term, value] of facts(passage, weak)) {
      const pair = make('div');
      pair.append(make('dt', term), make('dd', value));
      byId('why').append(pair);
    }
    if (byId('decide')) {
      byId('decide').hidden = weak || leftOut.has(at);
      byId('decide').elements.passage.value = at;
    }
    byId('compare').hidden = false;
    document.body.classList.add('comparing');
    if (of.length > 0) of[0].scrollIntoView({ block: 'start' });
    tellPosition();
    remember();
  }

  function close() {
    byId('compare').hidden = true;
    document.body.classList.remove('comparing');
    outline([]);
    [chosen, chosenWeak] = [-1, -1];
    tellPosition();
    remember();
  }

  // Of the passages that cover a segment the first; again and again: the next one.
  function chooseAt(segment) {
    const here = visible().filter((at) => covers(report.passages[at], segment));
    if (here.length > 0) choose(here[(here.indexOf(chosen) + 1) % here.length]);
    else if (report.weak.some(covers)) choose(report.weak.findIndex(covers), true);
  }

  // What is chosen and what is off stands in the address, so that it outlives a reload and can be sent as a link.
  function state() {
    const parts = [];
    if (chosen >= 0) parts.push(`p=${chosen + 1}`);
    if (chosenWeak >= 0) parts.push(`w=${chosenWeak + 1}`);
    if (sourcesOff.size) parts.push(`off=${[...sourcesOff].map((at) => at + 1).join(',')}`);
    if (statusesOff.size) parts.push(`no=${[...statusesOff].join(',')}`);
    if (shortest) parts.push(`min=${shortest}`);
    return parts.join('&');
  }

  let ready = false;
  function remember() {
    if (ready && location.hash.slice(1) !== state()) history.replaceState(null, '', `#${state()}`);
  }

  function set(said) {
    const wanted = new URLSearchParams(said);
    const list = (name) => (wanted.get(name) || '').split(',').filter(Boolean);
    sourcesOff.clear();
    statusesOff.clear();
    for (const number of list('off')) if (report.sources[Number(number) - 1]) sourcesOff.add(Number(number) - 1);
    for (const status of list('no')) if (statuses.includes(status)) statusesOff.add(status);
    shortest = Math.max(Number(wanted.get('min')) || 0, 0);
    for (const row of all('[data-source]')) row.querySelector('input').checked = !sourcesOff.has(Number(row.dataset.source));
    for (const box of all('input[data-status]')) box.checked = !statusesOff.has(box.dataset.status);
    if (byId('shortest')) {
      byId('shortest').value = shortest;
      byId('shortest-value').textContent = String(shortest);
    }
    return wanted;
  }

  function restore() {
    const wanted = set(location.hash.slice(1));
    show();
    // Whoever comes for a source, by the address that it has here, sees the first passage from it.
    const other = wanted.get('with');
    const isOther = (row) => [...row.querySelectorAll('a')].some((link) => link.getAttribute('href') === other);
    const source = other && all('[data-source]').find(isOther)?.dataset.source;
    const passage = other ? report.passages.findIndex((one) => one.source === Number(source)) : Number(wanted.get('p')) - 1;
    const weak = Number(wanted.get('w')) - 1;
    if (report.passages[passage]) choose(passage);
    else if (report.weak[weak]) choose(weak, true);
    if (wanted.has('sheet')) sheet(wanted.get('sheet'));
  }

  document.querySelector('article').addEventListener('click', (event) => {
    const mark = event.target.closest('[data-s]');
    if (mark && getSelection().isCollapsed) chooseAt(Number(mark.dataset.s));
  });
  document.querySelector('article').addEventListener('pointerover', (event) => {
    const mark = event.target.closest('mark[data-s]');
    const source = mark && report.sources[best[Number(mark.dataset.s)]];
    if (source) mark.title = `${best[Number(mark.dataset.s)] + 1} · ${source.id}${source.title ? ` · ${source.title}` : ''} · ${percent(source.ratio)}`;
  });
  if (byId('next')) {
    byId('next').addEventListener('click', () => step(1));
    byId('previous').addEventListener('click', () => step(-1));
    byId('shortest').addEventListener('input', (event) => {
      shortest = Number(event.target.value);
      byId('shortest-value').textContent = String(shortest);
      show();
    });
  }
  byId('close').addEventListener('click', close);
  for (const row of all('[data-source]')) {
    const source = Number(row.dataset.source);
    const box = row.querySelector('input');
    box.addEventListener('change', () => {
      if (box.checked) sourcesOff.delete(source);
      else sourcesOff.add(source);
      show();
    });
    row.querySelector('button').addEventListener('click', () => {
      const of = visible().filter((at) => report.passages[at].source === source);
      if (of.length > 0) choose(of[(of.indexOf(chosen) + 1) % of.length]);
    });
  }
  for (const box of all('input[data-status]')) {
    box.addEventListener('change', () => {
      if (box.checked) statusesOff.delete(box.dataset.status);
      else statusesOff.add(box.dataset.status);
      show();
    });
  }
  for (const button of all('[data-passage]')) button.addEventListener('click', () => choose(Number(button.dataset.passage)));
  for (const button of all('[data-weak]')) button.addEventListener('click', () => choose(Number(button.dataset.weak), true));
  for (const button of all('[data-places]')) {
    const places = button.dataset.places.split(' ');
    let next = 0;
    button.addEventListener('click', () => {
      const flag = byId(`f${places[next]}`);
      next = (next + 1) % places.length;
      for (const other of all('.flag.chosen')) other.classList.remove('chosen');
      flag.classList.add('chosen');
      flag.scrollIntoView({ block: 'center' });
    });
  }
  if (byId('reveal')) {
    byId('reveal').checked = false;
    byId('reveal').addEventListener('change', (event) => document.body.classList.toggle('reveal', event.target.checked));
  }
  // Not by the address, which holds the state.
  for (const link of all('#chapters a')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      byId(link.getAttribute('href').slice(1)).scrollIntoView({ block: 'start' });
    });
  }
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.target.matches('input:not([type=checkbox]), select')) return;
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

  // What is printed: one sheet with the figures, or everything with a table of all passages. It is the report's result, whatever
  // a reader has switched off.
  let selected = null;
  function sheet(name) {
    if (selected === null) {
      selected = state();
      set('');
      show();
    }
    document.body.dataset.sheet = name === 'brief' ? 'brief' : 'full';
    document.querySelector('.sheet-name').textContent = name === 'brief' ? words.brief_sheet : words.full_sheet;
    byId('about').open = true;
    if (name !== 'brief') tabulate();
  }

  function tabulate() {
    const section = byId('table-of-passages');
    const list = visible();
    section.replaceChildren();
    section.hidden = list.length === 0;
    for (const mark of all('article [data-row]')) delete mark.dataset.row;
    section.append(make('h2', words.table_of_passages), make('p', words.table_help, 'caption'));
    list.forEach((at, number) => {
      const passage = report.passages[at];
      const source = report.sources[passage.source];
      const [mark] = marks.get(covered(passage).next().value) || [];
      if (mark) mark.dataset.row = [mark.dataset.row, number + 1].filter(Boolean).join(',');
      const row = make('div', undefined, 'row');
      const head = make('h3', `${number + 1}. `);
      head.append(make('span', String(passage.source + 1), `chip s${passage.source % colours}`), ' ', make('bdi', source.id));
      if (source.title) head.append(' · ', make('bdi', source.title));
      head.append(make('small', facts(passage, false).map(([term, value]) => `${term}${words.colon}${value}`).join(' · ')));
      const [ours, theirs] = [make('div'), make('div')];
      ours.dir = theirs.dir = 'auto';
      side(ours, passage, true);
      side(theirs, passage, false);
      if (passage.pieces.every(([where]) => where < 0)) theirs.append(make('em', no_wording));
      const both = make('div', undefined, 'sides');
      both.append(ours, theirs);
      row.append(head, both);
      section.append(row);
    });
  }

  for (const button of all('[data-print]')) {
    button.addEventListener('click', () => {
      sheet(button.dataset.print);
      print();
    });
  }
  addEventListener('beforeprint', () => {
    if (!document.body.dataset.sheet) sheet('full');
  });
  addEventListener('afterprint', () => {
    delete document.body.dataset.sheet;
    for (const mark of all('article [data-row]')) delete mark.dataset.row;
    byId('table-of-passages').hidden = true;
    if (selected !== null) {
      set(selected);
      show();
      selected = null;
    }
  });
  addEventListener('hashchange', () => {
    if (location.hash.includes('=')) restore();
  });
  restore();
  ready = true;
})();
