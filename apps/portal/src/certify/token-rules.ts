import { failedBy, type Finding, newestOf, open, patienceMs, shownBy } from './finding.js';
import { answerIn, atMs, type Call, isDone, type OwnLog, sentIn, urlOf } from './own-log.js';

const enoughCalls = 5;
export const tokenInUrl = ({ calls }: OwnLog): Finding => {
  const wrong = calls.filter((call) => /[?&]access_token=/i.test(urlOf(call)));
  if (wrong.length > 0)
    return failedBy('The access token was in the URL, which logs and histories keep.', ...wrong);
  return calls.length < enoughCalls ? open : shownBy(...calls.slice(-2));
};

export const tokenExpired = (log: OwnLog): Finding =>
  newestOf(
    log.calls
      .filter(({ code }) => code === 'TOKEN_EXPIRED')
      .map((call) => {
        const again = log.calls
          .slice(log.calls.indexOf(call) + 1)
          .find((one) => one.operation === call.operation && urlOf(one) === urlOf(call));
        if (again !== undefined)
          return isDone(again)
            ? shownBy(call, again)
            : failedBy('The call was sent again with a token that is not valid either.', call, again);
        return log.nowMs - atMs(call) > patienceMs
          ? failedBy('The call was not sent again with a new token.', call)
          : open;
      }),
  );

/** What the sandbox saw when it opened an address of the application as a browser would (POST /sandbox/visits). */
export interface Visit {
  readonly call: Call;
  readonly uri: URL;
  /** Undefined if the application did not answer. */
  readonly status?: number;
}
export const visitsIn = ({ calls }: OwnLog): readonly Visit[] =>
  calls
    .filter((call) => urlOf(call) === '/sandbox/visits' && isDone(call))
    .flatMap((call) => {
      const uri = URL.parse(String(sentIn(call)['uri']));
      const { status } = answerIn(call);
      return uri === null ? [] : [{ call, uri, ...(typeof status === 'number' ? { status } : {}) }];
    });

/** The `state` with which Certify calls a redirect URI: no application has sent it. */
export const foreignState = 'certify-foreign-state';
/** The parameter that names the kind of a visit. The log hides `state` and `code`. */
export const visitMark = 'certify';

const answered = (status: number | undefined): string =>
  status === undefined ? 'The application did not answer.' : `The application answered ${status}.`;

export const stateChecked = (log: OwnLog): Finding =>
  newestOf(
    visitsIn(log)
      .filter(({ uri: { searchParams } }) => searchParams.get(visitMark) === 'foreign-code')
      .map(({ call, status }) =>
        status !== undefined && status >= 300 && status < 500
          ? shownBy(call)
          : failedBy(answered(status), call),
      ),
  );

export const errorAtRedirect = (log: OwnLog): Finding =>
  newestOf(
    visitsIn(log)
      .filter(({ uri: { searchParams } }) => searchParams.get(visitMark) === 'error')
      .map(({ call, status }) =>
        status !== undefined && status < 500 && status !== 404
          ? shownBy(call)
          : failedBy(answered(status), call),
      ),
  );
