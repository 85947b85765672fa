// The read model of consents, for the operator's command and the checks of the invariants.
export { consentView } from './store/consent-view.js';
