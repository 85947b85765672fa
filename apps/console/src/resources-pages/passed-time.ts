import { type Html, html } from '@xs2a/html/html';
import type { Interval } from './timeline-rows.js';

const width = 1000;
/** The least width of an interval, so that a short one can be seen next to an hour. */
const leastWidth = 6;

/** A bar of the whole time of a resource, in which each interval is as long as it lasted. */
export const passedTime = (intervals: readonly Interval[]): Html | undefined => {
  if (intervals.length === 0) return undefined;
  const total = intervals.reduce((sum, { ms }) => sum + ms, 0);
  const widths = intervals.map(({ ms }) => Math.max(leastWidth, total === 0 ? 0 : (ms / total) * width));
  const scale = width / widths.reduce((sum, one) => sum + one, 0);
  const label = intervals.map(({ text }) => text).join('; ');
  let x = 0;
  return html`<svg
    class="passed"
    viewBox="0 0 ${width} 10"
    preserveAspectRatio="none"
    role="img"
    aria-label="${label}"
  >
    ${intervals.map(({ kind, text }, index) => {
      const wide = (widths[index] ?? 0) * scale;
      const rect = html`<rect
        class="${kind} ${index % 2 === 0 ? 'even' : 'odd'}"
        x="${x.toFixed(1)}"
        y="0"
        width="${wide.toFixed(1)}"
        height="10"
      >
        <title>${text}</title>
      </rect>`;
      x += wide;
      return rect;
    })}
  </svg>`;
};
