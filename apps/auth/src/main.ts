import { replaceProviderTime } from './oauth/provider-patches.js';

// Before oidc-provider is loaded for the first time.
replaceProviderTime();
const { start } = await import('./start.js');
await start();
