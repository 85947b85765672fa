import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';

/** Throws resourceUnknown for the answer consentUnknown, which is 403 at the endpoints of a consent but 404 in the sandbox. */
export const throwResourceUnknown = (error: unknown): never => {
  const isUnknown = error instanceof CallFailed && error.failures[0]?.failure === 'consentUnknown';
  throw isUnknown ? callFailed('resourceUnknown') : error;
};
