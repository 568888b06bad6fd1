import { options } from 'preact'

/**
 * Makes Preact run effects right after the render instead of after the next frame. docs/decisions/029-preact.md gives
 * the reasons.
 */
export function runEffectsEarly(): void {
  options.requestAnimationFrame = (run) => queueMicrotask(run)
}
