import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A variable that holds PEM text or the path of a file with it. `isValid` parses the text and throws if it cannot. */
const pem = (what: string, parse: (text: string) => unknown) =>
  z
    .string()
    .min(1)
    .transform((value, context): string => {
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      let text = value;
      if (!value.trimStart().startsWith('-----BEGIN '))
        try {
          text = readFileSync(value, 'utf8');
        } catch {
          // The value is not repeated, because it could be a damaged key.
          return refuse(`must be ${what} in PEM, or the path of a file that this process can read`);
        }
      try {
        parse(text);
        return text;
      } catch {
        return refuse(`must be ${what} in PEM, or the path of a file with one`);
      }
    });

const readCertificate = (text: string) => new X509Certificate(text);

/** The variables of an encrypted connection to Temporal. */
export const temporalTlsVariables = {
  TEMPORAL_TLS: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` connects with TLS; if unset, TLS is on if one of the next five variables is set'),
  TEMPORAL_TLS_CA: pem('a certificate', readCertificate)
    .optional()
    .describe('Certificate authorities to trust, as PEM or a path; if unset, those of the machine'),
  TEMPORAL_TLS_CERT: pem('a certificate', readCertificate)
    .optional()
    .describe('Client certificate, as PEM or a path; it needs `TEMPORAL_TLS_KEY`'),
  TEMPORAL_TLS_KEY: pem('an unencrypted private key', (text) => createPrivateKey(text))
    .optional()
    .describe('Private key of `TEMPORAL_TLS_CERT`, as PEM or a path'),
  TEMPORAL_TLS_SERVER_NAME: z
    .string()
    .min(1)
    .optional()
    .describe('Name to expect in the certificate of the server; if unset, the host of `TEMPORAL_ADDRESS`'),
  TEMPORAL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,8192}$/, 'must be an API key, without spaces or line breaks')
    .optional()
    .describe('API key of Temporal Cloud, or of a proxy that expects `authorization: Bearer …`'),
};

/** The variables with which the API and the worker connect to Temporal. */
export const temporalVariables = {
  TEMPORAL_ADDRESS: z.string().min(1).describe('host:port of the Temporal frontend'),
  TEMPORAL_NAMESPACE: z
    .string()
    .min(1)
    .default('default')
    .describe('Temporal namespace; in Temporal Cloud `name.account`'),
  TEMPORAL_TASK_QUEUE_PREFIX: z.string().default('').describe('Separates deployments that share a namespace'),
  ...temporalTlsVariables,
};

/** The variables that only a connection with TLS can use. */
const impliesTls = [
  'TEMPORAL_TLS_CA',
  'TEMPORAL_TLS_CERT',
  'TEMPORAL_TLS_KEY',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_API_KEY',
] as const;

type TlsSettings = { TEMPORAL_TLS?: 'true' | 'false' } & { [Name in (typeof impliesTls)[number]]?: string };

/**
 * Adds an issue for each of Temporal's variables that contradicts another one. Zod also calls it for variables that
 * have failed an earlier check; then a value may be missing or of another type.
 */
export function checkTemporal(set: TlsSettings, context: z.core.$RefinementCtx): void {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  const { TEMPORAL_TLS_CERT: certificate, TEMPORAL_TLS_KEY: key } = set;
  if (certificate !== undefined && key === undefined)
    refuse('TEMPORAL_TLS_KEY', 'is required with TEMPORAL_TLS_CERT');
  if (key !== undefined && certificate === undefined)
    refuse('TEMPORAL_TLS_CERT', 'is required with TEMPORAL_TLS_KEY');
  if (certificate !== undefined && key !== undefined && !isPair(certificate, key))
    refuse('TEMPORAL_TLS_KEY', 'is not the key of TEMPORAL_TLS_CERT');
  if (set.TEMPORAL_TLS === 'false')
    for (const name of impliesTls)
      if (set[name] !== undefined) refuse(name, 'needs TLS: unset it, or set TEMPORAL_TLS to true');
}

function isPair(certificate: string, key: string): boolean {
  return readCertificate(certificate).checkPrivateKey(createPrivateKey(key));
}

/** Returns the options with which both of Temporal's clients connect: that of Node and the native one of the worker. */
export function temporalOptions(set: TlsSettings & { TEMPORAL_ADDRESS: string }) {
  const usesTls = set.TEMPORAL_TLS === 'true' || impliesTls.some((name) => set[name] !== undefined);
  const bytes = (text: string) => Buffer.from(text);
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_CERT: certificate, TEMPORAL_TLS_KEY: key } = set;
  return {
    address: set.TEMPORAL_ADDRESS,
    ...(usesTls && {
      tls: {
        serverNameOverride: set.TEMPORAL_TLS_SERVER_NAME,
        ...(ca !== undefined && { serverRootCACertificate: bytes(ca) }),
        ...(certificate !== undefined &&
          key !== undefined && { clientCertPair: { crt: bytes(certificate), key: bytes(key) } }),
      },
    }),
    ...(set.TEMPORAL_API_KEY !== undefined && { apiKey: set.TEMPORAL_API_KEY }),
  };
}

/** How to connect to Temporal. */
export type TemporalOptions = ReturnType<typeof temporalOptions>;
