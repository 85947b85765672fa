/** The header that proves to the authorization server that a request comes from the gateway. */
export const gatewaySecretHeader = 'x-gateway-secret';
