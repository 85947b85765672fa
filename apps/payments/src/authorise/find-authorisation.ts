import { callFailed } from '@xs2a/domain/failure/failed';
import { type Authorisation, authorisationIn } from '@xs2a/domain/sca/authorisations';

/** Finds an authorisation of a payment or basket; throws CallFailed (resourceUnknown) if there is none with that id. */
export const findAuthorisation = (
  resource: Parameters<typeof authorisationIn>[0],
  authorisationId: string,
): Authorisation => {
  const authorisation = authorisationIn(resource, authorisationId);
  if (authorisation === undefined) throw callFailed('resourceUnknown');
  return authorisation;
};
