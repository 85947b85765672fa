// The read model of consents, used by the operator CLI and the invariant checks.
export { consentView } from './store/consent-view.js';
