"""A co-simulation instance driven call by call, without FMPy's own simulation loop."""

from fmpy import extract, read_model_description
from fmpy.fmi3 import FMU3Slave


class Slave:
    def __init__(self, fmu, folder, name="instance", messages=None):
        """Messages of the FMU are appended to `messages`, if there is such a list."""
        self.description = read_model_description(str(fmu))
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.slave = FMU3Slave(guid=self.description.guid, unzipDirectory=extract(str(fmu), str(folder)),
                               modelIdentifier=self.description.coSimulation.modelIdentifier, instanceName=name)
        if messages is None:
            self.slave.instantiate()
        else:
            self.slave.instantiate(loggingOn=True, logMessage=lambda environment, status, category, text:
                                   messages.append(text.decode()))

    def initialise(self, stop_time=None, tolerance=None, **starts):
        self.set(**starts)
        self.slave.enterInitializationMode(startTime=0.0, stopTime=stop_time, tolerance=tolerance)
        self.slave.exitInitializationMode()

    def set(self, **values):
        for name, value in values.items():
            self.slave.setFloat64([self.references[name]], [value])

    def get(self, names):
        return list(self.slave.getFloat64([self.references[name] for name in names]))

    def step(self, start, stop):
        self.slave.doStep(currentCommunicationPoint=start, communicationStepSize=stop - start)

    def close(self):
        self.slave.terminate()
        self.slave.freeInstance()
