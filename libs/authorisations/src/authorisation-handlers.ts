import { Inject, type InjectionToken, type Type } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CommandOf, QueryOf } from '@xs2a/calls/handlers';
import type {
  AuthorisationCalls,
  AuthorisationStarted,
  StartAuthorisation,
} from '@xs2a/contracts/authorisations.contract';
import type { Call } from '@xs2a/contracts/call';
import { replayAnswer } from '@xs2a/calls/replay-answer';
import { toIdempotencyRecord } from '@xs2a/event-store/streams/idempotency-records';
import { newId } from '@xs2a/runtime/ids';
import type { Signable } from './signable.js';

interface OfTpp {
  readonly tppId: string;
}

type Calls<Owned, Linked, Shown, Status> = AuthorisationCalls<Owned, Linked, Shown, Status>;
type Token<Owned, Linked, Shown, Status> = InjectionToken<Signable<Owned, Linked, Shown, Status>>;

/**
 * Returns the handlers of the calls about the authorisations of one kind of resource. `signable` is the provider
 * that implements them.
 */
export const authorisationHandlers = <Owned extends OfTpp, Linked, Shown, Status>(
  calls: Calls<Owned, Linked, Shown, Status>,
  signable: Token<Owned, Linked, Shown, Status>,
): { readonly commands: readonly Type[]; readonly queries: readonly Type[] } => ({
  commands: [
    commandHandler(calls.start, signable, startAuthorisation),
    // A PSU has signed in on the SCA pages (spec 3.4).
    commandHandler(calls.identify, signable, async (resource, request) => resource.identify(request)),
    // A PSU has completed SCA (spec 3.4).
    commandHandler(calls.sign, signable, async (resource, request) => resource.sign(request)),
    // A PSU refused on the SCA pages, or SCA failed too often (spec 3.4).
    commandHandler(calls.reject, signable, async (resource, request) => ({
      status: await resource.reject(request),
    })),
  ],
  queries: [
    // GET …/authorisations and GET …/authorisations/{authorisationId} (contract 10).
    queryHandler(calls.list, signable, async (resource, request) => ({
      authorisations: (await resource.list(request)).map(({ authorisationId, scaStatus }) => ({
        authorisationId,
        scaStatus,
      })),
    })),
    // The resource and its authorisation, as the SCA pages show and check them.
    queryHandler(calls.read, signable, async (resource, request) => resource.read(request)),
    // The accounts from which the PSU may choose (contract 12).
    queryHandler(calls.accounts, signable, async (resource, request) => ({
      accounts: (await resource.listAccounts?.(request)) ?? [],
    })),
  ],
});

/**
 * POST …/authorisations. The order of checks is that of contract 3: headers, then an idempotency key that already has
 * an answer, then the resource.
 */
const startAuthorisation = async <Owned extends OfTpp, Linked, Shown, Status>(
  resource: Signable<Owned, Linked, Shown, Status>,
  request: Owned & StartAuthorisation,
): Promise<AuthorisationStarted> => {
  const { psuId, psuCorporateId, redirectUris, notification } = request;
  if (psuCorporateId !== undefined) await resource.mustKnowCorporate(psuCorporateId);
  const started: AuthorisationStarted = { authorisationId: newId() };
  const record = toIdempotencyRecord(request, started);
  const earlier = record && (await resource.findEarlierAnswer(record));
  if (earlier !== undefined) return replayAnswer<AuthorisationStarted>(earlier);
  await resource.mustBeOwned(request, psuCorporateId);
  const input = {
    ...started,
    psuId,
    psuCorporateId,
    redirectUris: Object.keys(redirectUris).length === 0 ? undefined : redirectUris,
    notification,
  };
  const outcome = await resource.start(request, input, record);
  return outcome === 'appended' ? started : replayAnswer<AuthorisationStarted>(outcome);
};

/** Returns the handler of a command that `answer` executes on the resource. */
const commandHandler = <Kind, Request, Answer>(
  call: Call<Request, Answer>,
  signable: InjectionToken<Kind>,
  answer: (resource: Kind, request: Request) => Promise<Answer>,
): Type => {
  class Step extends CommandOf(call) {}
  @CommandHandler(Step)
  class StepHandler implements ICommandHandler<Step> {
    constructor(@Inject(signable) private readonly resource: Kind) {}

    async execute({ request }: Step): Promise<Answer> {
      return answer(this.resource, request);
    }
  }
  return StepHandler;
};

/** Returns the handler of a query that `answer` answers from the resource. */
const queryHandler = <Kind, Request, Answer>(
  call: Call<Request, Answer>,
  signable: InjectionToken<Kind>,
  answer: (resource: Kind, request: Request) => Promise<Answer>,
): Type => {
  class Read extends QueryOf(call) {}
  @QueryHandler(Read)
  class ReadHandler implements IQueryHandler<Read> {
    constructor(@Inject(signable) private readonly resource: Kind) {}

    async execute({ request }: Read): Promise<Answer> {
      return answer(this.resource, request);
    }
  }
  return ReadHandler;
};
