import { durationText } from './durations.js';

export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly perSecond: number;
  readonly secondsLeft: number;
  /** Default: events. */
  readonly what?: string;
}

const whole = (number: number): string => Math.round(number).toLocaleString('en-US');

/** `[#####-----] 50 %  5,000 of 10,000 events  61,000/s  1 s left` */
export const progressText = ({ done, total, perSecond, secondsLeft, what = 'events' }: Progress): string => {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const bar = '#'.repeat(Math.round(share * 20)).padEnd(20, '-');
  const left = Number.isFinite(secondsLeft) ? `  ${durationText(Math.max(0, secondsLeft) * 1000)} left` : '';
  const rate = Number.isFinite(perSecond) ? `  ${whole(perSecond)}/s` : '';
  return `[${bar}] ${Math.floor(share * 100)} %  ${whole(done)} of ${whole(total)} ${what}${rate}${left}`;
};

/** `1 event`, `2 events`. */
export const counted = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? '' : 's'}`;

const countCharacters = (text: string): number => [...text].length;

/** Rows under their headings, each column as wide as it must be; numbers to the right. */
export const columns = (
  headings: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const widths = headings.map((heading, index) =>
    Math.max(countCharacters(heading), ...rows.map((row) => countCharacters(String(row[index] ?? '')))),
  );
  const line = (row: readonly (string | number)[]): string =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - countCharacters(String(cell)));
        return typeof cell === 'number' ? space + String(cell) : String(cell) + space;
      })
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line)].join('\n');
};

/**
 * The output of a command: text for people, or JSON (`--json`) for programs. Progress goes to stderr, results to
 * stdout.
 */
export class Output {
  private shownAt = Number.NEGATIVE_INFINITY;

  constructor(readonly json: boolean) {}

  /** The result, or one of a stream of them: one JSON value a line. */
  show(value: unknown, text: string): void {
    process.stdout.write(`${this.json ? JSON.stringify(value) : text}\n`);
  }

  /** A bar that is drawn over on a terminal; elsewhere a line every five seconds. */
  progress(progress: Progress): void {
    const bar = process.stderr.isTTY && !this.json;
    const now = performance.now();
    if (now - this.shownAt < (bar ? 100 : 5000) && progress.done < progress.total) return;
    this.shownAt = now;
    if (this.json) process.stderr.write(`${JSON.stringify({ progress })}\n`);
    else process.stderr.write(bar ? `\r\u001b[K${progressText(progress)}` : `${progressText(progress)}\n`);
  }

  /** Takes the bar away. */
  progressEnds(): void {
    if (process.stderr.isTTY && !this.json) process.stderr.write('\r\u001b[K');
  }
}
