import { type Answer, send, type Sending } from '@xs2a/tpp-client/http';

/** A page as received by a visitor, with the visitor's cookie and the tokens in its form. */
export interface Seen extends Answer {
  readonly cookie: string | undefined;
  readonly csrf: string;
  readonly step: string;
}

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}"\\s+value="([^"]*)"`).exec(html)?.[1] ?? '';

const seen = (answer: Answer, sent: string | undefined): Seen => {
  const [set] = answer.headers.getSetCookie();
  return {
    ...answer,
    cookie: set === undefined ? sent : set.split(';')[0],
    csrf: hidden(answer.text, 'csrf'),
    step: hidden(answer.text, 'step'),
  };
};

/** Loads a page with the given cookie, or with none. */
export const look = async (url: string, cookie?: string): Promise<Seen> =>
  seen(
    await send('GET', url, {
      headers: { 'accept-language': 'en', ...(cookie === undefined ? {} : { cookie }) },
    }),
    cookie,
  );

/** Submits a form unchanged. Returns the redirect response without following it. */
export const submit = async (
  url: string,
  cookie: string | undefined,
  fields: Readonly<Record<string, string>>,
  headers: NonNullable<Sending['headers']> = {},
): Promise<Seen> =>
  seen(
    await send('POST', url, {
      form: new URLSearchParams(fields),
      headers: { 'accept-language': 'en', ...(cookie === undefined ? {} : { cookie }), ...headers },
    }),
    cookie,
  );

/** Signs in and continues to the code page. */
export const walkToCode = async (
  url: string,
  psu: { readonly psuId: string; readonly password: string },
): Promise<Seen> => {
  const first = await look(url);
  const signedIn = await submit(url, first.cookie, {
    csrf: first.csrf,
    step: 'sign-in',
    psuId: psu.psuId,
    password: psu.password,
    decision: 'approve',
  });
  const review = await look(url, signedIn.cookie);
  if (review.step !== 'review') throw new Error(`after the sign-in the page is ${review.step}`);
  await submit(url, review.cookie, { csrf: review.csrf, step: 'review', decision: 'approve' });
  return look(url, review.cookie);
};

/** Enters a code on the page reached by {@link walkToCode}. */
export const enterCode = async (url: string, page: Seen, otp: string): Promise<Seen> =>
  submit(url, page.cookie, { csrf: page.csrf, step: 'code', otp, decision: 'approve' });
