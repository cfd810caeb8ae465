import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runFromShell, targetOfVariables } from '../api/commands/token';
import { merchants, people } from './seed/accounts';
import type { StackDescription } from './stack-file';

/* `npm run token` uses the running local stack or, if the variables of a deployment are set, that deployment. */

void runFromShell({
  target: () => {
    const named = targetOfVariables(process.env);
    if (named) return named;
    const folder = path.resolve(process.env['LOCAL_DIR'] ?? '.local');
    try {
      const stack = JSON.parse(readFileSync(path.join(folder, 'stack.json'), 'utf8')) as StackDescription;
      return {
        adminUrl: stack.database_url,
        signingKeys: path.join(folder, 'token-signing-keys.json'),
        issuer: stack.origin,
      };
    } catch {
      throw new Error('No stack is running here. Start one with npm start, or name its folder in LOCAL_DIR.');
    }
  },
  people,
  merchantId: merchants.main.id,
});
