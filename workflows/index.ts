export { interviewCreation } from './interview-creation';
