import type { Msg } from '@nats-io/transport-node';
import { CallClient } from '@xs2a/calls/client';
import type { AnswerOf, Reply, RequestOf } from '@xs2a/contracts/call';
import { authenticatePsu, nameAccounts } from '@xs2a/contracts/accounts.contract';
import { makeProfile } from '@xs2a/domain/testing/profiles';
import { testHashKeys } from '@xs2a/runtime/testing/test-master-keys';
import { PageSessions } from '../sca/page-sessions.js';
import { ScaFlow } from '../sca/sca-flow.js';
import { Challenges } from '../sca/sign-in/challenges.js';
import { KnownBrowsers } from '../sca/sign-in/known-browsers.js';
import type { OtpCodes } from '../sca/sign-in/otp-codes.js';
import { ScaFailures } from '../sca/sign-in/sca-failures.js';
import { SignIn } from '../sca/sign-in/sign-in.js';
import { SignInPlaces } from '../sca/sign-in/sign-in-places.js';
import { type AuthWorld, startAuthWorld } from './auth-world.js';

type NamesReply = Reply<AnswerOf<typeof nameAccounts>> | 'none';

/** The parts of the SCA pages on real servers; the bank accepts the password `right` for every name. */
export interface FlowWorld extends AuthWorld {
  readonly callClient: CallClient;
  readonly failures: ScaFailures;
  readonly sessions: PageSessions;
  readonly signIn: SignIn;
  /** Replies to the call for account names; `none`: as a frozen service. Without it, the bank knows no accounts. */
  nameAccounts?: (asked: RequestOf<typeof nameAccounts>) => NamesReply | Promise<NamesReply>;
  newFlow(codes: OtpCodes): ScaFlow;
}

const respond = async (message: Msg, reply: NamesReply | Promise<NamesReply>): Promise<void> => {
  const ready = await reply;
  if (ready !== 'none') message.respond(JSON.stringify(ready));
};

export const startFlowWorld = async (): Promise<FlowWorld> => {
  const world = await startAuthWorld();
  const { pool, clock, nats } = world;
  nats.subscribe(authenticatePsu.subject, {
    callback: (_error, message) => {
      const { request } = message.json<{ request: { psuId: string; password: string } }>();
      const { psuId, password } = request;
      message.respond(JSON.stringify({ ok: password === 'right' ? { psu: { psuId, name: psuId } } : {} }));
    },
  });
  nats.subscribe(nameAccounts.subject, {
    callback: (_error, message) => {
      const { request } = message.json<{ request: RequestOf<typeof nameAccounts> }>();
      void respond(message, flowWorld.nameAccounts?.(request) ?? { ok: { accounts: [] } });
    },
  });
  const config = {
    HASH_KEYS: testHashKeys,
    AUTH_COOKIE_SECRET: 'x'.repeat(32),
    BASE_URL: 'http://127.0.0.1:8080',
  };
  const callClient = new CallClient(nats, { offsetMs: 0, raiseTo: () => undefined });
  const failures = new ScaFailures(pool, clock, config);
  const browsers = new KnownBrowsers(clock, config);
  const sessions = new PageSessions(pool, clock);
  const signIn = new SignIn(callClient, failures, new SignInPlaces(), browsers);
  const flowWorld: FlowWorld = {
    ...world,
    callClient,
    failures,
    sessions,
    signIn,
    newFlow: (codes) => {
      const challenges = new Challenges(pool, clock, failures, codes, config);
      const profile = makeProfile('sandbox');
      return new ScaFlow(signIn, sessions, challenges, failures, browsers, codes, clock, profile, callClient);
    },
  };
  return flowWorld;
};
