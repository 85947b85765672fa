import { callFailed } from '@xs2a/domain/failure/failed';
import { type Authorisation, authorisationIn } from '@xs2a/domain/sca/authorisations';

/** Finds an authorisation of a payment or basket. Throws CallFailed (resourceUnknown) if none has that id. */
export const findAuthorisation = (
  resource: Parameters<typeof authorisationIn>[0],
  authorisationId: string,
): Authorisation => {
  const authorisation = authorisationIn(resource, authorisationId);
  if (authorisation === undefined) throw callFailed('resourceUnknown');
  return authorisation;
};
