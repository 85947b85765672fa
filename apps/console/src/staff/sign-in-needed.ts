/** Thrown when a page is requested and nobody is signed in: the answer leads to the identity provider. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded';
}
