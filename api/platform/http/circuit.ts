/** Thrown by `run` while the circuit is open. The call is not made. */
export class CircuitOpen extends Error {
  constructor() {
    super('the circuit is open');
  }
}

type CircuitSettings = {
  /** The number of failures in a row that open the circuit. */
  maxFailures: number;
  /** The time in milliseconds between a failure and the next probe while the circuit is open. */
  probeAfterMs: number;
  /** Returns true if the error means that nothing works at the other end. Other errors count as success. */
  isOutage: (error: unknown) => boolean;
  onChange?: (isOpen: boolean) => void;
};

export type Circuit = ReturnType<typeof createCircuit>;

/**
 * Stops calls after several failures in a row, and lets one call through every few seconds to find out whether calls
 * work again. This is our own code because the current releases of cockatiel and opossum need Node 22, and cockatiel
 * 3 makes all calls wait for the probe.
 */
export function createCircuit({ maxFailures, probeAfterMs, isOutage, onChange }: CircuitSettings) {
  let failures = 0;
  let openedAt: number | undefined;
  let isProbing = false;

  const succeed = () => {
    failures = 0;
    if (openedAt === undefined) return;
    openedAt = undefined;
    onChange?.(false);
  };
  const fail = (isProbe: boolean) => {
    failures += 1;
    if (isProbe) openedAt = performance.now();
    else if (openedAt === undefined && failures >= maxFailures) {
      openedAt = performance.now();
      onChange?.(true);
    }
  };

  return {
    isOpen: (): boolean => openedAt !== undefined,

    /** Runs `work`. Throws CircuitOpen at once while the circuit is open and no probe is due. */
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      const isProbe = openedAt !== undefined;
      if (openedAt !== undefined && (isProbing || performance.now() - openedAt < probeAfterMs))
        throw new CircuitOpen();
      if (isProbe) isProbing = true;
      try {
        const value = await work();
        succeed();
        return value;
      } catch (error) {
        if (isOutage(error)) fail(isProbe);
        else succeed();
        throw error;
      } finally {
        if (isProbe) isProbing = false;
      }
    },
  };
}
