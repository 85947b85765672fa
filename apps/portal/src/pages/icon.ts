/** The icon of the portal in the browser's tab. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b5c8a"/><path d="M9 9l14 14M23 9L9 23" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`;
