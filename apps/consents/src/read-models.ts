// The store and read model of consents, used by the operator CLI and the invariant checks.
export { createConsentStore } from './store/consent-store.js';
export { consentView } from './store/consent-view.js';
