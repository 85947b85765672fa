/** The header in which the gateway proves to the authorization server that a request comes from it. */
export const gatewaySecretHeader = 'x-gateway-secret';
