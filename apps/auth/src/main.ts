import { replaceProviderTime } from './oauth/provider-patches.js';

// Must run before oidc-provider is loaded for the first time.
replaceProviderTime();
const { start } = await import('./start.js');
await start();
