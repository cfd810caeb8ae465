import { useEffect, useState } from 'preact/hooks';

type Store<State> = { state: State; subscribe: (listener: () => void) => () => void };

/** Returns the state of a store, such as the devices, and renders the component again after each change. */
export function useStore<State>(store: Store<State>): State {
  const [, show] = useState(store.state);
  useEffect(() => {
    const read = () => show(() => store.state);
    // Effects run after the browser has painted. A change of the state before that had no listener yet.
    read();
    return store.subscribe(read);
  }, [store]);
  return store.state;
}
