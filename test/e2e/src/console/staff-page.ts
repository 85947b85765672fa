import type { Browser, Page } from 'playwright-core';
import { visitor, type Visitor } from '../pages/screens.js';

/** Opens a page of the console in a browser, and signs in as one of the sandbox's staff. */
export const openAs = async (
  { browser, url }: { readonly browser: Browser; readonly url: string },
  staff: string,
  path: string,
): Promise<Visitor> => {
  const visit = await visitor(browser, 'en', 1280, 360);
  await visit.page.goto(`${url}${path}`);
  await visit.page.click(`button[value=${staff}]`);
  await visit.page.waitForURL((at) => at.origin === url);
  return visit;
};

/** Waits until the page, which refreshes itself, shows a text. Ten seconds is the promise of the console. */
export const shows = async (page: Page, text: string | RegExp): Promise<void> => {
  await page.getByText(text).first().waitFor({ timeout: 10_000 });
};

/** The values of the hidden members of the first form of a page that goes to a path. */
export const hiddenIn = (text: string, action: string): Record<string, string> => {
  const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  return Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
};
