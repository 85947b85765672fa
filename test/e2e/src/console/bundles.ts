import type { BundleContent, BundleFile } from '@xs2a/contracts/dispute-bundle.contract';
import { canonicalJson } from '@xs2a/event-store/streams/hash-chain';
import { CompactSign, exportJWK, generateKeyPair, type JWK } from 'jose';
import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '@xs2a/sandbox/layout';
import type { Browser, Page } from 'playwright-core';
import type { StaffBrowser } from './staff-browser.js';

/** The values of the hidden members of the form of a page that goes to a path. */
const hiddenIn = (text: string, action: string): Record<string, string> => {
  const form = text.split('<form').find((part) => part.includes(`action="${action}"`)) ?? '';
  return Object.fromEntries(
    [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
};

/** Returns the form that exports the bundle of a payment, filled in. */
export const bundleForm = async (
  staff: StaffBrowser,
  paymentId: string,
  reason = 'dispute 4711',
): Promise<URLSearchParams> => {
  const text = await (await staff.open(`/payments/${paymentId}`)).text();
  return new URLSearchParams({ ...hiddenIn(text, `/payments/${paymentId}/bundle`), reason });
};

export const sendForm = async (
  staff: StaffBrowser,
  paymentId: string,
  body: URLSearchParams,
): Promise<Response> => staff.send(`/payments/${paymentId}/bundle`, { method: 'POST', body });

/** Exports the bundle of a payment without a browser. Returns the text of the file. */
export const exportBundle = async (staff: StaffBrowser, paymentId: string): Promise<string> => {
  const answer = await sendForm(staff, paymentId, await bundleForm(staff, paymentId));
  if (answer.status !== 200) throw new Error(`the export is answered ${answer.status}`);
  return answer.text();
};

export const verifierUrl = pathToFileURL(join(root, 'docs/verify-bundle.html')).href;

/** The page that verifies bundles, opened from its file without a network. */
export class Verifier {
  /** Everything that the page requested. */
  readonly requested: string[] = [];

  private constructor(readonly page: Page) {
    page.on('request', (request) => this.requested.push(request.url()));
  }

  static async open(browser: Browser): Promise<Verifier> {
    const context = await browser.newContext({ offline: true });
    const verifier = new Verifier(await context.newPage());
    await verifier.page.goto(verifierUrl);
    return verifier;
  }

  /** Verifies a bundle with a key set. Returns the text of the result. */
  async verify(bundle: string, keySet: string): Promise<string> {
    const { page } = this;
    const buffer = Buffer.from(bundle);
    await page
      .getByLabel('Bundle')
      .setInputFiles({ name: 'bundle.json', mimeType: 'application/json', buffer });
    await page.getByLabel('or the text').fill(keySet);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.locator('#result h2').first().waitFor();
    return page.locator('#result').innerText();
  }
}

export const parseBundle = (text: string): BundleFile => JSON.parse(text) as BundleFile;

/** Another bank with a key for bundles, which signs any content: only the content can then be wrong. */
export const otherBank = async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = randomUUID();
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, purpose: 'dispute-bundle' } as JWK;
  return {
    keySet: JSON.stringify({ keys: [jwk] }),
    sign: async (content: BundleContent, statement: object = {}): Promise<string> => {
      const contentSha256 = createHash('sha256').update(canonicalJson(content)).digest('base64url');
      const format = 'xs2a-dispute-bundle/1';
      const { paymentId } = content;
      const signed = { format, iss: 'other', paymentId, exportedAt: 'now', contentSha256, ...statement };
      const signature = await new CompactSign(new TextEncoder().encode(JSON.stringify(signed)))
        .setProtectedHeader({ alg: 'ES256', kid, typ: 'xs2a-dispute-bundle+jws' })
        .sign(privateKey);
      return JSON.stringify({ format, signature, content });
    },
  };
};
