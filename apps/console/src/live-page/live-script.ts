/**
 * The script of the page Live: it asks for newer events every second and puts them at the top, once per frame. It keeps at
 * most 2,000 rows, and says how many events it left out. Positions that are lost while it is open become a red row, also those
 * of events that it has shown, whose rows it marks.
 */
export const liveScript = `
const live = () => {
  const section = document.querySelector('[data-live]');
  const rows = document.getElementById('live-rows');
  if (section === null || rows === null) return;
  const log = new URLSearchParams(section.dataset.live.split('?')[1]).get('log');
  const note = document.getElementById('live-note');
  const pause = document.getElementById('live-pause');
  document.getElementById('live-bar').hidden = false;
  const mostRows = 2000;
  const rateMs = 60000;
  let after = Number(section.dataset.after);
  let paused = false;
  let leftOut = 0;
  let waiting = [];
  let seen = [];
  const cell = (row, text, style) => {
    const made = row.insertCell();
    made.textContent = text ?? '';
    if (style) made.className = style;
    return made;
  };
  const linkTo = (href, textContent) => Object.assign(document.createElement('a'), { href, textContent });
  const rowOf = (event) => {
    const row = document.createElement('tr');
    cell(row, event.pos, 'number');
    cell(row, event.at.slice(0, 10) + ' ' + event.at.slice(11, 23), 'mono nowrap');
    cell(row, event.type.replaceAll('-', ' '));
    cell(row, '', 'mono').append(linkTo('/' + log + '/' + event.id + '?at=' + event.pos, event.id));
    cell(row, event.product);
    const tpp = cell(row, '');
    if (event.tppId !== null) tpp.append(linkTo('/tpps/' + encodeURIComponent(event.tppId), event.tppName));
    cell(row, event.by);
    return row;
  };
  const gapOf = ({ from, upTo }) => {
    const row = document.createElement('tr');
    row.className = 'is-problem';
    row.dataset.gap = from;
    cell(row, from + 1 + '–' + upTo, 'number');
    cell(row, 'lost when the database went back to an earlier state').colSpan = 6;
    return row;
  };
  const known = new Map(JSON.parse(section.dataset.gaps).map((gap) => [gap.after, gap.upTo]));
  const lose = ({ after: from, upTo }) => {
    known.set(from, upTo);
    waiting = waiting.filter((one) => one.from !== from);
    rows.querySelector('tr[data-gap="' + from + '"]')?.remove();
    for (const row of rows.rows) {
      const pos = Number(row.cells[0].textContent);
      if (pos > from && pos <= upTo) row.className = 'is-problem is-lost';
    }
    return { from, upTo };
  };
  const lostIn = (page) => [
    ...(page.last < after && known.get(page.last) === undefined ? [lose({ after: page.last, upTo: after })] : []),
    ...(page.newestGaps ?? page.gaps).filter((gap) => (known.get(gap.after) ?? 0) < gap.upTo).map(lose),
  ];
  const rates = () => {
    const now = performance.now();
    seen = seen.filter(({ at }) => now - at < rateMs);
    const counts = new Map();
    for (const { type, count } of seen) counts.set(type, (counts.get(type) ?? 0) + count);
    return [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5).map(([type, count]) => type.replaceAll('-', ' ') + ' ' + count + '/min');
  };
  const say = () => {
    const parts = [
      ...(paused ? ['paused: ' + waiting.length + ' new'] : []),
      ...(leftOut > 0 ? [leftOut + ' left out'] : []),
      ...rates(),
    ];
    note.textContent = parts.join(' · ');
  };
  const paint = () => {
    if (!paused && waiting.length > 0) {
      rows.prepend(...waiting.map((one) => ('upTo' in one ? gapOf(one) : rowOf(one))));
      waiting = [];
      while (rows.rows.length > mostRows) rows.deleteRow(-1);
    }
    say();
  };
  const take = (page) => {
    const items = [...page.events, ...lostIn(page)];
    items.sort((a, b) => (b.pos ?? b.upTo) - (a.pos ?? a.upTo));
    waiting = [...items, ...waiting];
    leftOut += page.leftOut + Math.max(0, waiting.length - mostRows);
    waiting = waiting.slice(0, mostRows);
    const at = performance.now();
    for (const { type } of page.events) seen.push({ at, type, count: 1 });
    after = page.last;
    requestAnimationFrame(paint);
  };
  const ask = async () => {
    try {
      const answer = await fetch(section.dataset.live + '&after=' + after, { headers: { 'X-Refresh': '1' } });
      if (answer.status === 401 || answer.redirected) return void signedOut();
      if (answer.ok) {
        take(await answer.json());
        stale().hidden = true;
      } else missing();
    } catch {
      missing();
    }
    setTimeout(ask, 1000);
  };
  pause.addEventListener('click', () => {
    paused = !paused;
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Continue' : 'Pause';
    paint();
  });
  setTimeout(ask, 1000);
};
live();
`;
