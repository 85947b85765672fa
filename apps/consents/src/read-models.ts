// The read model of consents, for the operator CLI and the invariant checks.
export { consentView } from './store/consent-view.js';
