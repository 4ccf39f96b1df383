// Runs the planted weak test.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/proofs/mutants/planted/weak.ts'],
    isolate: false,
    reporters: [{}],
    setupFiles: ['test/proofs/mutants/setup.ts'],
  },
})
