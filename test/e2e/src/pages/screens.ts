import { expect } from '@jest/globals';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import upng from 'upng-js';
import { galleryFolder, keptPictures, writeGallery } from './gallery.js';
import type { PsuCredentials } from '@xs2a/tpp-client/psu-walk';

export const widths = [360, 1280] as const;
/** The folder for screenshots, which are kept only with SCREENS=1. */
const folder = process.env.SCREENS === '1' ? galleryFolder : undefined;

/** The minified axe script. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Writes the gallery page after the last screenshot. */
export const keepGallery = (): void => {
  if (folder !== undefined) writeGallery();
};

/** The headless shell has the same engine but no user interface, so a page takes half the CPU time. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

export const launchBrowser = async (): Promise<Browser> =>
  chromium.launch({
    executablePath: programs.find((program) => existsSync(program)),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

const overflow = async (page: Page): Promise<string[]> => {
  const wide = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return Number(wide) > 0 ? [`${String(wide)} px too wide`] : [];
};

/** Returns the problems of a page: accessibility violations, and content wider than the screen. */
const complaints = async (page: Page): Promise<string[]> => {
  // Injects the script once per document, because it is half a megabyte and one document is checked at
  // several widths.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe);
  // Requests only violations, because axe would otherwise also describe every part that passes. In dark colours, only
  // the contrast is examined, because nothing else differs from the page in light colours, which is examined in full.
  const violations = (await page.evaluate(
    `axe.run(document, {
      resultTypes: ["violations"],
      ...(matchMedia('(prefers-color-scheme: dark)').matches ? { runOnly: ['color-contrast'] } : {}),
    }).then(({ violations }) => violations)`,
  )) as { id: string; nodes: { target: string[] }[] }[];
  return [
    ...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
    ...(await overflow(page)),
  ];
};

/** The number and the places of the elements that can be seen. */
const visibleElements = `[...document.body.querySelectorAll('*')]
  .flatMap((one, at) => (one.checkVisibility() ? [at] : [])).join()`;

/** Reduces a screenshot to 64 colours. Text stays readable, and the file is a quarter of the size. */
const small = (png: Buffer): Uint8Array => {
  const image = upng.decode(Uint8Array.from(png).buffer);
  return new Uint8Array(upng.encode(upng.toRGBA8(image), image.width, image.height, 64));
};

/** The average brightness of a picture, from 0 (black) to 255. */
export const brightness = (png: Buffer): number => {
  const image = upng.decode(Uint8Array.from(png).buffer);
  const pixels = new Uint8Array(upng.toRGBA8(image)[0] ?? new ArrayBuffer(0));
  // The weights of red, green and blue (ITU-R BT.709).
  const weights = [0.2126, 0.7152, 0.0722, 0];
  return pixels.reduce((sum, value, at) => sum + value * (weights[at % 4] ?? 0), 0) / (pixels.length / 4);
};

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /**
   * Expects the page to have no problems at any width and to be in the right language. Keeps a screenshot if
   * screenshots are enabled.
   */
  look(name: string): Promise<void>;
  /** Like `look`, but without a screenshot, for pages that are too long for one. */
  check(name: string): Promise<void>;
}

/** Opens a separate browser for one user. */
export const visitor = async (
  browser: Browser,
  language: string,
  width: number,
  ...others: readonly number[]
): Promise<Visitor> => {
  // The checks inject scripts, which the pages' Content-Security-Policy forbids.
  const context = await browser.newContext({
    locale: language,
    viewport: { width, height: 640 },
    bypassCSP: true,
  });
  const page = await context.newPage();
  const lookAt = async (name: string, isKept: boolean): Promise<void> => {
    // axe takes a second for a long page, so it runs at the narrowest width, where tables scroll, and at another width
    // only if the visible elements are not those of a width at which it has run.
    const examined = new Set<string>();
    for (const wide of [...others, width].toSorted((one, other) => one - other)) {
      await page.setViewportSize({ width: wide, height: 640 });
      const file = `${name}-${language}-${wide}.png`;
      if (folder !== undefined && isKept && keptPictures.has(file)) {
        mkdirSync(folder, { recursive: true });
        const picture = await page.screenshot({ fullPage: true });
        writeFileSync(join(folder, file), small(picture));
      }
      const visible = await page.evaluate<string>(visibleElements);
      const isExamined = examined.has(visible);
      examined.add(visible);
      expect([name, wide, await (isExamined ? overflow : complaints)(page)]).toEqual([name, wide, []]);
    }
    await page.setViewportSize({ width, height: 640 });
    expect(await page.getAttribute('html', 'lang')).toBe(language);
  };
  return {
    context,
    page,
    look: async (name) => lookAt(name, true),
    check: async (name) => lookAt(name, false),
  };
};

/** Returns the controls of a page that can be seen, numbered in `data-stop`. */
const numberStops = `[...document.querySelectorAll('a[href], button, summary, input:not([type=hidden])')]
  .filter((one) => one.checkVisibility()).map((one, at) => (one.dataset.stop = String(at)))`;
/** The number of the control with the focus, and whether it can be seen: in the window, and under nothing else. */
const focused = `(() => {
  const one = document.activeElement;
  const { left, right, top, bottom } = one.getClientRects()[0] ?? {};
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return { stop: one.dataset.stop, isSeen: hit !== null && one.contains(hit) };
})()`;

/**
 * Expects a page at 320 × 256 pixels, which is 1280 × 1024 at a zoom of 400 % (WCAG 1.4.10), to need no sideways
 * scrolling, and each of its controls to be reached with the keyboard and to be in sight when it has the focus.
 */
export const checkZoomed = async (page: Page, name: string): Promise<void> => {
  const before = page.viewportSize() ?? { width: widths[0], height: 640 };
  await page.setViewportSize({ width: 320, height: 256 });
  expect([name, await complaints(page)]).toEqual([name, []]);
  const stops = await page.evaluate<string[]>(numberStops);
  const reached = new Set<string>();
  const look = async (): Promise<void> => {
    const { stop = 'none', isSeen } = await page.evaluate<{ stop?: string; isSeen: boolean }>(focused);
    expect([name, stop, isSeen]).toEqual([name, stop, true]);
    reached.add(stop);
  };
  await page.locator('[data-stop="0"]').focus();
  await look();
  for (let pressed = 1; pressed < stops.length; pressed += 1) {
    await page.keyboard.press('Tab');
    await look();
  }
  expect([name, [...reached].toSorted()]).toEqual([name, stops.toSorted()]);
  await page.setViewportSize(before);
};

export const signIn = async (page: Page, { psuId, password }: PsuCredentials): Promise<void> => {
  await page.fill('[name=psuId]', psuId);
  await page.fill('[name=password]', password);
  await page.keyboard.press('Enter');
};

export const press = async (page: Page, decision: string): Promise<void> =>
  page.click(`button[name=decision][value=${decision}]`);

/** Opens the first fold that asks once more before `decision`, and presses the button in it. */
export const confirm = async (page: Page, decision: string): Promise<void> => {
  const fold = page.locator('details.ask').filter({ has: page.locator(`button[value=${decision}]`) });
  await fold.first().locator('summary').click();
  await fold.first().locator(`button[value=${decision}]`).click();
};

/** Walks through the bank's pages from sign-in to signature, selecting all accounts if there is a choice. */
export const approveAtBank = async (page: Page, psu: PsuCredentials): Promise<void> => {
  await page.waitForSelector('[name=password]');
  await signIn(page, psu);
  await page.waitForSelector('[name=step][value=accounts], [name=step][value=review]', { state: 'attached' });
  for (const box of await page.locator('[name=accounts]').all()) await box.check();
  if ((await page.locator('[name=step][value=accounts]').count()) > 0) await press(page, 'approve');
  await page.waitForSelector('[name=step][value=review]', { state: 'attached' });
  await press(page, 'approve');
  await page.waitForSelector('[name=otp]');
  await page.fill('[name=otp]', '123456');
  await press(page, 'approve');
};
