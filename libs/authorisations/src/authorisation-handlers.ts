import { Inject, type InjectionToken, type Type } from '@nestjs/common';
import { CommandHandler, type ICommandHandler, type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { CommandOf, QueryOf } from '@xs2a/calls/handlers';
import type {
  AuthorisationCalls,
  AuthorisationList,
  AuthorisationStarted,
  Identified,
  SignatureGiven,
} from '@xs2a/contracts/authorisations.contract';
import type { PsuAccount } from '@xs2a/contracts/accounts.contract';
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
  commands: [startHandler(calls, signable), ...pageHandlers(calls, signable)],
  queries: queryHandlers(calls, signable),
});

const startHandler = <Owned extends OfTpp, Linked, Shown, Status>(
  calls: Calls<Owned, Linked, Shown, Status>,
  signable: Token<Owned, Linked, Shown, Status>,
): Type => {
  class StartAuthorisation extends CommandOf(calls.start) {}
  /**
   * POST …/authorisations. The order of checks is that of contract 3: headers, then an idempotency key that already
   * has an answer, then the resource.
   */
  @CommandHandler(StartAuthorisation)
  class StartAuthorisationHandler implements ICommandHandler<StartAuthorisation> {
    constructor(@Inject(signable) private readonly resource: Signable<Owned, Linked, Shown, Status>) {}

    async execute({ request }: StartAuthorisation): Promise<AuthorisationStarted> {
      const { psuId, psuCorporateId, redirectUris, notification } = request;
      if (psuCorporateId !== undefined) await this.resource.mustKnowCorporate(psuCorporateId);
      const started: AuthorisationStarted = { authorisationId: newId() };
      const record = toIdempotencyRecord(request, started);
      const earlier = record && (await this.resource.findEarlierAnswer(record));
      if (earlier !== undefined) return replayAnswer<AuthorisationStarted>(earlier);
      await this.resource.mustBeOwned(request, psuCorporateId);
      const input = {
        ...started,
        psuId,
        psuCorporateId,
        redirectUris: Object.keys(redirectUris).length === 0 ? undefined : redirectUris,
        notification,
      };
      const outcome = await this.resource.start(request, input, record);
      return outcome === 'appended' ? started : replayAnswer<AuthorisationStarted>(outcome);
    }
  }
  return StartAuthorisationHandler;
};

/** The steps of a PSU on the SCA pages. */
const pageHandlers = <Owned, Linked, Shown, Status>(
  calls: Calls<Owned, Linked, Shown, Status>,
  signable: Token<Owned, Linked, Shown, Status>,
): readonly Type[] => {
  type OfKind = Signable<Owned, Linked, Shown, Status>;

  class Identify extends CommandOf(calls.identify) {}
  /** A PSU has signed in on the SCA pages (spec 3.4). */
  @CommandHandler(Identify)
  class IdentifyHandler implements ICommandHandler<Identify> {
    constructor(@Inject(signable) private readonly resource: OfKind) {}

    async execute({ request }: Identify): Promise<Identified> {
      return this.resource.identify(request);
    }
  }

  class Sign extends CommandOf(calls.sign) {}
  /** A PSU has completed SCA (spec 3.4). */
  @CommandHandler(Sign)
  class SignHandler implements ICommandHandler<Sign> {
    constructor(@Inject(signable) private readonly resource: OfKind) {}

    async execute({ request }: Sign): Promise<SignatureGiven<Status>> {
      return this.resource.sign(request);
    }
  }

  class Reject extends CommandOf(calls.reject) {}
  /** A PSU refused on the SCA pages, or SCA failed too often (spec 3.4). */
  @CommandHandler(Reject)
  class RejectHandler implements ICommandHandler<Reject> {
    constructor(@Inject(signable) private readonly resource: OfKind) {}

    async execute({ request }: Reject): Promise<{ readonly status: Status }> {
      return { status: await this.resource.reject(request) };
    }
  }

  return [IdentifyHandler, SignHandler, RejectHandler];
};

const queryHandlers = <Owned, Linked, Shown, Status>(
  calls: Calls<Owned, Linked, Shown, Status>,
  signable: Token<Owned, Linked, Shown, Status>,
): readonly Type[] => {
  type OfKind = Signable<Owned, Linked, Shown, Status>;

  class ListAuthorisations extends QueryOf(calls.list) {}
  /** GET …/authorisations and GET …/authorisations/{authorisationId} (contract 10). */
  @QueryHandler(ListAuthorisations)
  class ListAuthorisationsHandler implements IQueryHandler<ListAuthorisations> {
    constructor(@Inject(signable) private readonly resource: OfKind) {}

    async execute({ request }: ListAuthorisations): Promise<AuthorisationList> {
      const authorisations = await this.resource.list(request);
      return {
        authorisations: authorisations.map(({ authorisationId, scaStatus }) => ({
          authorisationId,
          scaStatus,
        })),
      };
    }
  }

  class ReadAuthorisation extends QueryOf(calls.read) {}
  /** The resource and its authorisation, as the SCA pages show and check them. */
  @QueryHandler(ReadAuthorisation)
  class ReadAuthorisationHandler implements IQueryHandler<ReadAuthorisation> {
    constructor(@Inject(signable) private readonly resource: OfKind) {}

    async execute({ request }: ReadAuthorisation): Promise<Shown> {
      return this.resource.read(request);
    }
  }

  class ListAccounts extends QueryOf(calls.accounts) {}
  /** The accounts from which the PSU may choose (contract 12). */
  @QueryHandler(ListAccounts)
  class ListAccountsHandler implements IQueryHandler<ListAccounts> {
    constructor(@Inject(signable) private readonly resource: OfKind) {}

    async execute({ request }: ListAccounts): Promise<{ readonly accounts: readonly PsuAccount[] }> {
      return { accounts: (await this.resource.listAccounts?.(request)) ?? [] };
    }
  }

  return [ListAuthorisationsHandler, ReadAuthorisationHandler, ListAccountsHandler];
};
