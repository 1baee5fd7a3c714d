// The module for embedding pages: it registers <visual-degrees>. See visual-degrees.d.ts.

export { VisualDegrees } from './elements/index.js';
