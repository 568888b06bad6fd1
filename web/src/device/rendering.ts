import { options } from 'preact'

const { port1, port2 } = new MessageChannel()
let render = () => {}
port1.onmessage = () => render()

/**
 * Makes Preact render in tasks instead of microtasks, as React does (docs/decisions/029-preact.md).
 *
 * Effects run after the next frame, and only then do components subscribe to stores. Until then, the router's pending
 * component can suspend again on a promise that has already settled. Each such promise renders the component again. In
 * microtasks this would never end, because no frame could come between.
 */
export function renderInTasks(): void {
  options.debounceRendering = (next) => {
    render = next
    port2.postMessage(null)
  }
}
