import { type HTMLElement, parse } from 'node-html-parser';
import { type Answer, type Send, send } from './http.js';

/** A form as a browser without JavaScript sees it. */
interface PageForm {
  readonly action: string;
  /** The fields that are submitted unchanged: hidden fields, preset inputs, ticked boxes. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The inputs that a PSU can fill in or tick. */
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly value: string }[];
  readonly buttons: readonly { readonly name: string; readonly value: string }[];
}

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly text: string;
  readonly forms: readonly PageForm[];
}

const attribute = (element: HTMLElement, name: string): string => element.getAttribute(name) ?? '';

const parseForm = (form: HTMLElement, pageUrl: string): PageForm => {
  const inputs = form.querySelectorAll('input').map((input) => ({
    name: attribute(input, 'name'),
    type: attribute(input, 'type') || 'text',
    value: attribute(input, 'value'),
    checked: input.hasAttribute('checked'),
  }));
  const ticks = new Set(['checkbox', 'radio']);
  return {
    action: new URL(attribute(form, 'action') || pageUrl, pageUrl).href,
    fields: inputs
      .filter(({ type, checked, name }) => name !== '' && (!ticks.has(type) || checked))
      .map(({ name, value }) => [name, value] as const),
    inputs: inputs
      .filter(({ type }) => type !== 'hidden')
      .map(({ name, type, value }) => ({ name, type, value })),
    buttons: form
      .querySelectorAll('button')
      .map((button) => ({ name: attribute(button, 'name'), value: attribute(button, 'value') })),
  };
};

/**
 * A minimal PSU browser with cookies, forms and redirects. It follows redirects within the bank's origin and stops
 * at the first one that leaves it, because the TPP continues from there.
 */
export class PsuBrowser {
  private readonly cookies = new Map<string, string>();
  /** The URL of the redirect that left the bank's origin. */
  leftTo: string | undefined;

  constructor(
    private readonly headers: Readonly<Record<string, string>> = {},
    private readonly sender: Send = send,
  ) {}

  async open(url: string): Promise<Page> {
    return this.follow(url, await this.exchange('GET', url));
  }

  /** Submits a form with `values` in place of the preset ones and, if given, with the button `decision`. */
  async submit(
    page: Page,
    values: Readonly<Record<string, string | readonly string[]>>,
    decision?: string,
  ): Promise<Page> {
    const form = page.forms.find(
      ({ buttons }) =>
        decision === undefined ||
        buttons.some((button) => button.name === 'decision' && button.value === decision),
    );
    if (form === undefined)
      throw new Error(`no form with the decision ${decision} on ${page.url}: ${page.text.slice(0, 300)}`);
    const body = new URLSearchParams();
    for (const [name, value] of form.fields) if (!(name in values)) body.append(name, value);
    for (const [name, value] of Object.entries(values))
      for (const one of [value].flat()) body.append(name, one);
    if (decision !== undefined) body.append('decision', decision);
    return this.follow(form.action, await this.exchange('POST', form.action, body));
  }

  private async exchange(method: string, url: string, form?: URLSearchParams): Promise<Answer> {
    const answer = await this.sender(method, url, {
      headers: {
        accept: 'text/html',
        ...this.headers,
        ...(this.cookies.size === 0
          ? {}
          : { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      },
      form,
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  private async follow(url: string, answer: Answer, hops = 0): Promise<Page> {
    const location = answer.headers.get('location');
    if (location !== null && answer.status >= 300 && answer.status < 400) {
      if (hops > 10) throw new Error(`too many redirects from ${url}`);
      const target = new URL(location, url);
      if (target.origin !== new URL(url).origin) {
        this.leftTo = target.href;
        return parsePage(url, answer);
      }
      return this.follow(target.href, await this.exchange('GET', target.href), hops + 1);
    }
    if (answer.status >= 500)
      throw new Error(`the bank answered ${answer.status} at ${new URL(url).pathname}`);
    return parsePage(url, answer);
  }
}

const parsePage = (url: string, { status, headers, text }: Answer): Page => {
  const document = parse(text);
  return {
    url,
    status,
    headers,
    html: text,
    text: document.querySelector('body')?.structuredText ?? text,
    forms: document.querySelectorAll('form').map((form) => parseForm(form, url)),
  };
};
