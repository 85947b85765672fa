import { Controller, Get, Inject, Post, Query, Req, UseGuards } from '@nestjs/common';
import type { Html } from '@xs2a/html/html';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { FastifyRequest } from 'fastify';
import type { PortalConfig } from '../config.js';
import { SeeOther } from '../pages/see-other.js';
import { type Fixtures, sharedFixtures } from '../start/fixtures.js';
import { jsonOf, refusalNote } from './answers.js';
import type { Credentials } from './session.js';
import { registeredPage, registerPage, returnPage, signInPage } from './sign-in-pages.js';
import { keyOf } from './workspace-page.js';
import { ClientRefused, TppApi } from './tpp-api.js';
import { type Visit, VisitGuard, Visiting } from './visit.js';

/** An address of the workspace, without anything that would lead elsewhere. */
const ownAddress = /^\/workspace(?:\/[\w/-]*)?(?:\?[\w%&=.~-]*)?$/;
const toOwn = (to: unknown): string => (typeof to === 'string' && ownAddress.test(to) ? to : '/workspace');

const refused =
  'The bank issues no token for this client. Check the client id and the secret. The client must authenticate with a secret and have the role PSP_AI or PSP_PI.';
const shared =
  'This client belongs to all users of the sandbox, so it has no workspace. Register your own application.';

/** Sign-in with a client id and its secret, and registration. */
@Controller('workspace')
@UseGuards(VisitGuard)
export class SignInController {
  private readonly ownReturn: string;
  private readonly fixtures: Fixtures['tpps'];
  private readonly isHosted: boolean;

  constructor(
    private readonly api: TppApi,
    @Inject(CONFIG) config: PortalConfig,
  ) {
    this.ownReturn = `${config.BASE_URL}/workspace/return`;
    this.isHosted = config.SANDBOX_CLOCK === 'fixed';
    this.fixtures = sharedFixtures(config)?.tpps ?? [];
  }

  @Get('sign-in')
  showSignIn(@Visiting() visit: Visit, @Query('to') to: unknown): Html {
    return this.signIn(visit, toOwn(to));
  }

  @Post('sign-in')
  async doSignIn(@Visiting() visit: Visit): Promise<Html | SeeOther> {
    const { form } = visit;
    const tpp = { clientId: form.get('clientId') ?? '', clientSecret: form.get('clientSecret') ?? '' };
    const to = toOwn(form.get('to'));
    if (this.isHosted && this.fixtures.some(({ clientId }) => clientId === tpp.clientId))
      return this.signIn(visit, to, { clientId: tpp.clientId, problem: shared });
    try {
      await this.api.checkCredentials(tpp);
    } catch (error) {
      if (!(error instanceof ClientRefused)) throw error;
      return this.signIn(visit, to, { clientId: tpp.clientId, problem: refused });
    }
    await visit.beginSession(tpp);
    return new SeeOther(to);
  }

  @Post('sign-out')
  async signOut(@Visiting() visit: Visit): Promise<SeeOther> {
    await visit.beginSession();
    return new SeeOther('/workspace/sign-in');
  }

  @Get('register')
  showRegister(@Visiting() { session }: Visit): Html {
    return registerPage({ session, form: new URLSearchParams(), ownReturn: this.ownReturn });
  }

  @Post('register')
  async register(@Visiting() visit: Visit): Promise<Html> {
    const { session, form } = visit;
    const answer = await this.api.sendWithoutToken({
      method: 'POST',
      path: '/sandbox/tpps',
      headers: { 'idempotency-key': keyOf(form) },
      body: JSON.stringify({
        name: form.get('name') ?? '',
        redirectUris: [form.get('redirectUri') ?? ''],
        roles: form.getAll('role'),
      }),
    });
    const refusal = refusalNote(answer);
    if (refusal !== undefined) return registerPage({ session, form, ownReturn: this.ownReturn, refusal });
    const tpp = jsonOf<Credentials>(answer);
    // Without one of the other roles, it gets no token of its own, and so no workspace.
    const isServed = form.getAll('role').some((role) => role !== 'PSP_IC');
    return registeredPage(isServed ? await visit.beginSession(tpp) : session, tpp);
  }

  // The inbox of a TPP is the last segment of one of its redirect URIs.
  @Get(['return', 'return/:inbox'])
  showReturn(@Visiting() { session }: Visit, @Req() { url }: FastifyRequest): Html {
    return returnPage(session, new URL(url, this.ownReturn).searchParams);
  }

  private signIn(
    { session }: Visit,
    to: string,
    more: { readonly clientId?: string; readonly problem?: string } = {},
  ): Html {
    return signInPage({ session, to, fixtures: this.isHosted ? [] : this.fixtures, ...more });
  }
}
