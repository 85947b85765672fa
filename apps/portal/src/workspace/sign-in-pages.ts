import { type Html, html } from '@xs2a/html/html';
import { tppRoles } from '@xs2a/contracts/auth.contract';
import { codeBlock } from '../pages/code.js';
import type { Fixtures } from '../start/fixtures.js';
import type { Credentials, Session } from './session.js';
import { csrfField, keyField, note, workspacePage } from './workspace-page.js';

export interface SignIn {
  readonly session: Session;
  /** The path of the page that is shown after the sign-in. */
  readonly to: string;
  /** The clients that belong to everybody; empty where they may not sign in. */
  readonly fixtures: Fixtures['tpps'];
  readonly clientId?: string;
  readonly problem?: string;
}

/** The sign-in with a client id and its secret. */
export const signInPage = ({ session, to, fixtures, clientId = '', problem }: SignIn): Html =>
  workspacePage({
    session,
    path: '/workspace/sign-in',
    title: 'Sign in',
    body: html`<p class="lead">
        See your calls and why they were refused, create people for tests, and move the clock.
      </p>
      ${problem === undefined ? undefined : note('problem', problem)}
      <form class="form" method="post" action="/workspace/sign-in">
        ${csrfField(session)} <input type="hidden" name="to" value="${to}" />
        <label
          >Client id
          <input name="clientId" value="${clientId}" required maxlength="100" autocomplete="username" />
        </label>
        <label
          >Client secret
          <input
            type="password"
            name="clientSecret"
            required
            maxlength="500"
            autocomplete="current-password"
          />
        </label>
        <p><button class="button">Sign in</button></p>
      </form>
      <p>No client yet? <a href="/workspace/register">Register your application</a>.</p>
      <p class="quiet">
        The workspace and Certify need a client with a secret. A client that authenticates with
        <code>private_key_jwt</code> or <code>tls_client_auth</code> has none, and neither does a public
        client: register another client for your tests here.
      </p>
      ${
        fixtures.length === 0
          ? undefined
          : html`<p class="quiet">
              Or use a client that belongs to all users of this sandbox: id
              <code>${fixtures[0]?.clientId}</code>, secret <code>${fixtures[0]?.clientSecret}</code>.
            </p>`
      }`,
  });

export interface Registration {
  readonly session: Session;
  /** What was sent before; empty at first. */
  readonly form: URLSearchParams;
  /** Where an application that does not run yet can let the bank return. */
  readonly ownReturn: string;
  /** Why the registration was refused. */
  readonly refusal?: Html;
}

const roleTexts: Readonly<Record<(typeof tppRoles)[number], string>> = {
  PSP_AI: 'reads accounts (AISP)',
  PSP_PI: 'initiates payments (PISP)',
  PSP_IC: 'confirms funds (CBPII)',
};

/** The form that registers an application. */
export const registerPage = ({ session, form, ownReturn, refusal }: Registration): Html => {
  const isFirst = !form.has('name');
  return workspacePage({
    session,
    path: '/workspace/register',
    title: 'Register your application',
    body: html`<p class="lead">You get a client id, and a secret that is shown once.</p>
      ${refusal}
      <form class="form" method="post" action="/workspace/register">
        ${csrfField(session)} ${keyField()}
        <label
          >Name
          <input name="name" value="${form.get('name') ?? ''}" required maxlength="140" />
        </label>
        <label
          >Redirect URI
          <span class="quiet"
            >Where the bank sends the customer after the authorisation. The portal’s own address shows what
            your application would receive.
            <a href="/guides/test-your-tpp#addresses-of-your-application"
              >Which addresses are accepted</a
            ></span
          >
          <input
            name="redirectUri"
            value="${form.get('redirectUri') ?? ownReturn}"
            required
            maxlength="2000"
          />
        </label>
        <fieldset>
          <legend>Roles</legend>
          ${tppRoles.map(
            (role) =>
              html`<label class="check"
                ><input
                  type="checkbox"
                  name="role"
                  value="${role}"
                  ${isFirst || form.getAll('role').includes(role) ? html`checked` : undefined}
                />
                <code>${role}</code> ${roleTexts[role]}</label
              >`,
          )}
        </fieldset>
        <p><button class="button">Register</button></p>
      </form>
      <p>Already registered? <a href="/workspace/sign-in">Sign in</a>.</p>`,
  });
};

/** Shows a new client's secret, once. */
export const registeredPage = (session: Session, tpp: Credentials): Html =>
  secretShown(session, tpp, 'Your application is registered');

/** Shows the new secret of a client, once. */
export const newSecretPage = (session: Session, tpp: Credentials): Html =>
  secretShown(session, tpp, 'Your new secret');

const secretShown = (session: Session, { clientId, clientSecret }: Credentials, title: string): Html =>
  workspacePage({
    session,
    path: '/workspace/register',
    title,
    body: html`${note('attention', 'Copy the secret now. It is not shown again.')}
      ${codeBlock('Credentials', `CLIENT_ID=${clientId}\nCLIENT_SECRET=${clientSecret}`)}
      <p><a class="button" href="/workspace">Open the workspace</a></p>`,
  });

/** What the bank sent to a redirect URI that is this page's address. */
export const returnPage = (session: Session, received: URLSearchParams): Html =>
  workspacePage({
    session,
    path: '/workspace/return',
    title: 'The bank sent the customer back',
    body: html`<p class="lead">
        You can use this address as the redirect URI while your application does not run yet. It would
        receive:
      </p>
      ${
        received.size === 0
          ? html`<p>No parameters.</p>`
          : codeBlock('Query', [...received].map(([name, value]) => `${name}=${value}`).join('\n'))
      }
      ${
        received.has('code')
          ? html`<p>
              Exchange the code for a token within a minute:
              <a href="/guides/get-a-token">how to get a token</a>.
            </p>`
          : undefined
      }
      <p>Read the status of the resource to see how it ended: a redirect proves nothing.</p>`,
  });
