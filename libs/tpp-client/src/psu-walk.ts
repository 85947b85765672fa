import type { Page, PsuBrowser } from './psu-browser.js';

export interface PsuCredentials {
  readonly psuId: string;
  readonly password: string;
  /** Returns the one-time code; by default, reads it from the sandbox. */
  readonly otp?: () => Promise<string>;
}

const sandboxOtp = async (): Promise<string> => '123456';
const has = (page: Page, name: string): boolean =>
  page.forms.some(({ inputs }) => inputs.some((input) => input.name === name));

/** The field that confirms that a warning about the payee was read, if the page asks for it. */
const warningRead = (page: Page): Readonly<Record<string, string>> =>
  has(page, 'payeeWarningRead') ? { payeeWarningRead: 'yes' } : {};

/** Called with each page on the way and the name of its step. */
type Watch = (step: string, page: Page) => void;
export interface WalkOptions {
  readonly accounts?: readonly string[];
  readonly watch?: Watch;
}

/**
 * Takes a PSU through all SCA pages: sign in, pick accounts if requested (all of them unless `accounts` names
 * some), review and approve, also if the payee's name does not match, enter the code. Returns the last page; the browser records the redirect that left the
 * bank's origin.
 */
export const walkAndApprove = async (
  browser: PsuBrowser,
  url: string,
  psu: PsuCredentials,
  options: WalkOptions = {},
): Promise<Page> => walkOnAndApprove(browser, await browser.open(url), psu, options);

/** Does the same, starting from the sign-in page that is already open in the browser. */
export const walkOnAndApprove = async (
  browser: PsuBrowser,
  signIn: Page,
  { psuId, password, otp = sandboxOtp }: PsuCredentials,
  { accounts, watch = () => undefined }: WalkOptions = {},
): Promise<Page> => {
  let page = signIn;
  watch('sign in', page);
  page = await browser.submit(page, { psuId, password }, 'approve');
  if (has(page, 'accounts')) {
    watch('pick accounts', page);
    const offered = page.forms.flatMap(({ inputs }) =>
      inputs.filter(({ name }) => name === 'accounts').map(({ value }) => value),
    );
    page = await browser.submit(page, { accounts: accounts ?? offered }, 'approve');
  }
  if (
    browser.leftTo !== undefined ||
    !page.forms.some(({ buttons }) => buttons.some(({ value }) => value === 'approve'))
  )
    return page;
  watch('review', page);
  page = await browser.submit(page, warningRead(page), 'approve');
  if (!has(page, 'otp')) return page;
  watch('code', page);
  page = await browser.submit(page, { otp: await otp() }, 'approve');
  watch('result', page);
  return page;
};

/** Signs in and, on the review page, presses `decision` (refuse or cancel). */
export const walkAndDecline = async (
  browser: PsuBrowser,
  url: string,
  { psuId, password }: PsuCredentials,
  decision: 'refuse' | 'cancel',
): Promise<Page> => {
  const signIn = await browser.open(url);
  const review = await browser.submit(signIn, { psuId, password }, 'approve');
  return browser.submit(review, {}, decision);
};
