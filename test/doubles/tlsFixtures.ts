import { fileURLToPath } from 'node:url';

export const tlsFixtures = fileURLToPath(new URL('../fixtures/tls', import.meta.url));

/** The certificate of the authority, for `NODE_EXTRA_CA_CERTS`. */
export const authorityFile = `${tlsFixtures}/authority.pem`;
